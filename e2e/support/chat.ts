import { expect, type Locator, type Page } from '@playwright/test'
import type { StrategyId } from '@/lib/protocols/types/tool-context-def'
import { appUrl } from './addresses'

/** The chat as a user knows it: by accessible names. */
export class Chat {
  readonly page: Page
  readonly message: Locator
  readonly log: Locator
  readonly conversations: Locator
  /** The button with the model and the call format. */
  readonly picker: Locator

  constructor(page: Page) {
    this.page = page
    this.message = page.getByRole('textbox', { name: 'Message', exact: true })
    this.log = page.getByRole('log', { name: 'Messages' })
    this.picker = page.getByRole('button', { name: /^Model and call format: / })
    this.conversations = page.getByRole('navigation', { name: 'Chats' })
  }

  async open(path = '/'): Promise<void> {
    await this.page.goto(path.startsWith('/') ? `${appUrl}${path}` : path)
    await expect(this.message).toBeEnabled()
  }

  /** The menu below the list of chats; `names`: an item, and those in the menus that it opens. */
  async fromMenu(...names: readonly string[]): Promise<void> {
    await fromMenu(this.page, ...names)
  }

  async choose(strategy: StrategyId): Promise<void> {
    const { formats } = await this.openPicker()
    await formats.getByRole('option', { name: new RegExp(`^${strategy}\\b`) }).click()
    await expect(this.picker).toContainText(strategy)
  }

  async chooseModel(label: string | RegExp): Promise<void> {
    const { models } = await this.openPicker()
    await models.getByRole('option', { name: label }).first().click()
  }

  /** The popover of model and call format. */
  async openPicker(): Promise<{ readonly popover: Locator; readonly models: Locator; readonly formats: Locator }> {
    await this.picker.click()
    const popover = this.page.getByRole('dialog', { name: 'Model and call format', exact: true })
    await expect(popover).toBeVisible()
    return {
      popover,
      models: popover.getByRole('listbox', { name: 'Models' }),
      formats: popover.getByRole('listbox', { name: 'Call format' }),
    }
  }

  /** From the same popover. */
  async openModelsOfBrowser(): Promise<void> {
    const { popover } = await this.openPicker()
    await popover.getByRole('button', { name: 'Add a model…' }).click()
  }

  async send(text: string): Promise<void> {
    await this.message.fill(text)
    await this.page.getByRole('button', { name: 'Send', exact: true }).click()
  }

  /** From the palette, because the meter is hidden below half of the window. */
  async openContext(): Promise<Locator> {
    const meter = this.page.getByRole('button', { name: /^(about|约) [\d,]+ (个 )?token/, includeHidden: true })
    await expect(meter).toBeAttached()
    await this.page.keyboard.press('Control+k')
    await this.page.getByRole('option', { name: /^(Context window|上下文窗口)/ }).click()
    return this.page.getByRole('dialog', { name: /^(What the next message sends|下一条消息会发送的内容)$/ })
  }

  call(name: string): Locator {
    return this.page.getByRole('group', { name: `Tool call: ${name}`, exact: true })
  }

  result(name: string): Locator {
    return this.page.getByRole('group', { name: `Tool result: ${name}`, exact: true })
  }

  async run(name: string): Promise<void> {
    await this.call(name).first().getByRole('button', { name: 'Run', exact: true }).click()
    // A button that appears under a resting pointer takes no press for half a second.
    await this.page.mouse.move(0, 0)
  }

  /** For keys: they wait for nothing, and until its origin is checked a call takes no run. */
  async focusReady(name: string): Promise<void> {
    const call = this.call(name).first()
    await expect(call.getByRole('button', { name: 'Run', exact: true })).toBeEnabled()
    await call.focus()
  }

  /** The number of replies. The thread loads after the message field: a stored chat without messages has none yet. */
  async countReplies(): Promise<number> {
    if (/\/c\/[^/]+$/.test(new URL(this.page.url()).pathname)) {
      // A chat that a test created has no messages yet, and says so.
      const thread = this.page.getByRole('article').or(this.page.getByRole('main').getByRole('heading', { level: 2 }))
      await expect(thread.first()).toBeVisible()
    }
    return this.replies().count()
  }

  /** Sends and waits for the whole reply. */
  async ask(text: string): Promise<void> {
    const before = await this.countReplies()
    await this.send(text)
    await expect(this.replies()).toHaveCount(before + 1)
    await this.settled()
  }

  /** Runs a call and waits for the whole reply to its result. */
  async runThrough(name: string): Promise<void> {
    // The reply of this call is complete once it can run: counted earlier, it could still be on its way.
    await expect(this.call(name).first().getByRole('button', { name: 'Run', exact: true })).toBeEnabled()
    const before = await this.countReplies()
    await this.run(name)
    await expect(this.replies()).toHaveCount(before + 1)
    await this.settled()
  }

  replies(): Locator {
    return this.page.getByRole('article', { name: 'Assistant' })
  }

  /** Waits until no reply is in progress. */
  async settled(): Promise<void> {
    await expect(this.page.getByRole('button', { name: 'Send', exact: true })).toBeVisible()
    await expect(this.page.locator('article[aria-busy="true"]')).toHaveCount(0)
  }
}

/** The menu below the list of chats; `names`: an item, and those in the menus that it opens. */
export async function fromMenu(page: Page, ...names: readonly string[]): Promise<void> {
  await page
    .getByRole('navigation')
    .getByRole('button', { name: /^(Settings and tools|设置与工具)$/ })
    .click()
  for (const name of names) await page.getByRole('menuitem', { name: new RegExp(`^${name}( |$)`) }).click()
}

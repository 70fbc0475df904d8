import { expect, type Locator, type Page } from '@playwright/test'
import type { StrategyId } from '@/lib/strategies/tool-context-def'
import { appUrl } from './addresses'

/** The chat as a person knows it: by the names that are read out. */
export class Chat {
  readonly page: Page
  readonly message: Locator
  readonly log: Locator
  readonly conversations: Locator

  constructor(page: Page) {
    this.page = page
    this.message = page.getByRole('textbox', { name: 'Message', exact: true })
    this.log = page.getByRole('log', { name: 'Messages' })
    this.conversations = page.getByRole('navigation', { name: 'Conversations' })
  }

  async open(path = '/'): Promise<void> {
    await this.page.goto(path.startsWith('/') ? `${appUrl}${path}` : path)
    await expect(this.message).toBeEnabled()
  }

  async choose(strategy: StrategyId): Promise<void> {
    await this.page.getByRole('combobox', { name: 'Strategy', exact: true }).selectOption(strategy)
  }

  async chooseModel(label: string | RegExp): Promise<void> {
    const model = this.page.getByRole('combobox', { name: 'Model', exact: true })
    const option = model.getByRole('option', { name: label })
    await model.selectOption({ label: (await option.first().textContent()) ?? '' })
  }

  async send(text: string): Promise<void> {
    await this.message.fill(text)
    await this.page.getByRole('button', { name: 'Send', exact: true }).click()
  }

  call(name: string): Locator {
    return this.page.getByRole('group', { name: `Tool call: ${name}`, exact: true })
  }

  result(name: string): Locator {
    return this.page.getByRole('group', { name: `Tool result: ${name}`, exact: true })
  }

  async run(name: string): Promise<void> {
    await this.call(name).first().getByRole('button', { name: 'Run', exact: true }).click()
  }

  /** Sends and waits for the whole reply. */
  async ask(text: string): Promise<void> {
    const before = await this.replies().count()
    await this.send(text)
    await expect(this.replies()).toHaveCount(before + 1)
    await this.settled()
  }

  /** Runs a call and waits for the whole reply to its result. */
  async runThrough(name: string): Promise<void> {
    await expect(this.call(name).first()).toBeVisible()
    const before = await this.replies().count()
    await this.run(name)
    await expect(this.replies()).toHaveCount(before + 1)
    await this.settled()
  }

  replies(): Locator {
    return this.page.getByRole('article', { name: 'Assistant' })
  }

  /** Waits until no reply is being written. */
  async settled(): Promise<void> {
    await expect(this.page.getByRole('button', { name: 'Send', exact: true })).toBeVisible()
    await expect(this.page.locator('article[aria-busy="true"]')).toHaveCount(0)
  }
}

import { randomUUID } from 'node:crypto'
import { expect, type BrowserContext, type Locator, type Page } from '@playwright/test'
import type { ConversationView } from '@/lib/shared/conversation/wire/api-types'
import type { ToolCallConfig } from '@/lib/shared/conversation/conversation'
import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import type { StrategyId } from '@/lib/protocols/types/tool-context-def'
import { appUrl, modelServerUrl } from './addresses'
import { Chat } from './chat'
import type { ChatRequest } from './model-server'

/** A call as a model writes it in XML_Tag. */
export const xmlCall = (name: string, args: Record<string, unknown>): string =>
  `<tool_code>\n${JSON.stringify({ name, arguments: args })}\n</tool_code>`

/** A script's reply with a provider call outside the text. */
export const nativeCall = (name: string, args: Record<string, unknown>): string =>
  JSON.stringify({ toolCalls: [{ index: 0, id: 'call_1', name, arguments: JSON.stringify(args) }] })

export const write = (path: string, content: string): string => xmlCall('write_file', { path, content })
export const read = (path: string): string => xmlCall('read_file', { path })
export const list = (path: string): string => xmlCall('list_directory', { path })
export const evaluate = (code: string): string => xmlCall('browser_js_eval', { code })

export interface ScriptOptions {
  readonly tools?: Partial<ToolCallConfig>
  readonly strategy?: StrategyId
  /** The address of the test's own server; left out: the common one. */
  readonly app?: string
}

/** A chat with a model whose replies the test writes; records the model's requests. */
export class ScriptedChat extends Chat {
  /** Also names the script. */
  readonly id: string
  readonly #app: string

  private constructor(page: Page, id: string, app: string) {
    super(page)
    this.id = id
    this.#app = app
  }

  /** Creates the conversation and opens it. The model's first reply answers `begin`. */
  static async open(page: Page, replies: readonly string[], options: ScriptOptions = {}): Promise<ScriptedChat> {
    const id = randomUUID()
    const { app = appUrl } = options
    const chat = new ScriptedChat(page, id, app)
    await page.request.put(`${modelServerUrl}/scripts/${id}`, { data: replies })
    const settings = {
      model: 'openai-compatible/replay',
      strategy: options.strategy ?? 'XML_Tag',
      tools: { ...defaultToolConfig, ...options.tools },
      version: 4,
    }
    const made = await page.request.post(`${app}/api/conversations`, { data: { id, settings } })
    expect(made.ok(), await made.text()).toBe(true)
    await chat.open(`${app}/c/${id}`)
    return chat
  }

  /** Sends the first message, and waits for the whole reply. */
  async begin(): Promise<void> {
    await this.ask(`Please begin, script:${this.id}`)
  }

  /** Sends the first message. For calls that run automatically: several replies may exist at the first check. */
  async start(): Promise<void> {
    await this.send(`Please begin, script:${this.id}`)
  }

  /** The same conversation in another page, e.g. of another tab or another context. */
  async in(page: Page): Promise<ScriptedChat> {
    const chat = new ScriptedChat(page, this.id, this.#app)
    await chat.open(`${this.#app}/c/${this.id}`)
    return chat
  }

  /** The same conversation in a second tab of this browser. */
  async secondTab(): Promise<ScriptedChat> {
    return this.in(await this.page.context().newPage())
  }

  /** The model's requests so far, oldest first. */
  async sent(): Promise<readonly ChatRequest[]> {
    const answer = await this.page.request.get(`${modelServerUrl}/scripts/${this.id}`)
    return (await answer.json()) as ChatRequest[]
  }

  /** The last message that the model received, once there are `count` requests. */
  async told(count: number): Promise<string> {
    await expect.poll(async () => (await this.sent()).length).toBe(count)
    return (await this.sent()).at(-1)?.messages.at(-1)?.content ?? ''
  }

  async view(): Promise<ConversationView> {
    const answer = await this.page.request.get(`${this.#app}/api/conversations/${this.id}`)
    return (await answer.json()) as ConversationView
  }

  async changeTools(tools: Partial<ToolCallConfig>): Promise<void> {
    const { settings } = (await this.view()).conversation
    const patch = { settings: { ...settings, tools: { ...settings.tools, ...tools } } }
    const answer = await this.page.request.patch(`${this.#app}/api/conversations/${this.id}`, { data: patch })
    expect(answer.ok(), await answer.text()).toBe(true)
  }

  /** All cards of the chat, in order, in any state. */
  cards(): Locator {
    return this.page.getByRole('group', { name: /^(Tool (call|result): |Broken tool call)/ })
  }

  /** The only card of a tool, or the one with this text. */
  card(name: string, words?: string | RegExp): Locator {
    const cards = this.page.getByRole('group', { name: new RegExp(`^Tool (call|result): ${name}$`) })
    return words === undefined ? cards : cards.filter({ hasText: words })
  }

  get broken(): Locator {
    return this.page.getByRole('group', { name: 'Broken tool call', exact: true })
  }
}

export async function press(card: Locator, name: string): Promise<void> {
  await card.getByRole('button', { name, exact: true }).click()
  // A button that appears under a resting pointer takes no press for half a second.
  await card.page().mouse.move(0, 0)
}

/** Opens a settled card until `inside` is visible: it may collapse a moment after its reply is complete. */
export async function unfold(card: Locator, inside: Locator): Promise<void> {
  const head = card.getByRole('button', { name: /done/, expanded: false })
  await expect(async () => {
    if (await head.isVisible()) await head.click({ timeout: 1_000 })
    await expect(inside).toBeVisible({ timeout: 1_000 })
  }).toPass()
}

/** Chooses items in a waiting card's menu and its submenus, one after the other. */
export async function choose(card: Locator, ...names: readonly string[]): Promise<void> {
  await press(card, 'More')
  for (const name of names) await card.getByRole('menuitem', { name, exact: true }).click()
}

/** Whether an approval of the call can be remembered, by its card's menu. */
export async function canBeRemembered(card: Locator): Promise<boolean> {
  await press(card, 'More')
  await expect(card.getByRole('menu')).toBeVisible()
  const count = await card.getByRole('menuitem', { name: 'Don’t ask again…' }).count()
  await card.page().keyboard.press('Escape')
  return count > 0
}

/** The same person in another browser profile: its own context with the same session cookie. */
export async function otherProfile(from: BrowserContext): Promise<BrowserContext> {
  const context = await from.browser()?.newContext({ baseURL: appUrl })
  if (!context) throw new Error('the browser is gone')
  await context.addCookies(await from.cookies())
  return context
}

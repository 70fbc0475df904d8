import { expect, test, type Locator } from '@playwright/test'
import { evaluate, ScriptedChat, write } from './support/scripted-chat'

// A press hits its target: changes above a waiting card do not move its buttons.

const prints = evaluate("for (let line = 1; line <= 9; line++) console.log('line', line)")

const topOf = async (button: Locator): Promise<number> => (await button.boundingBox())?.y ?? Number.NaN

for (const [thread, prose] of [
  ['short', 'I count first.'],
  ['long', Array.from({ length: 40 }, (_, line) => `Paragraph ${line} of the reply.`).join('\n\n')],
] as const) {
  const nightly = thread === 'short' ? ' @nightly' : ''
  test(`Run stays under the pointer while a card above it collapses and opens, in a ${thread} thread${nightly}`, async ({
    page,
  }) => {
    const chat = await ScriptedChat.open(page, [
      `${prose}\n\n${prints}`,
      `Now the file.\n\n${write('/a.md', 'a')}`,
      'Done.',
    ])
    await chat.begin()
    await chat.runThrough('browser_js_eval')
    const run = chat.call('write_file').getByRole('button', { name: 'Run', exact: true })
    await expect(run).toBeInViewport({ ratio: 1 })
    // A press at a position does not wait for the check of where the call comes from.
    await expect(run).toBeEnabled()
    const head = chat.result('browser_js_eval').getByRole('button', { name: /done/ })
    // By script, because a press would move the pointer to the card above.
    const toggle = () => head.evaluate((button) => (button as HTMLButtonElement).click())
    const before = await topOf(run)
    const height = (await chat.result('browser_js_eval').boundingBox())?.height
    await toggle()
    await expect.poll(async () => (await chat.result('browser_js_eval').boundingBox())?.height).not.toBe(height)
    await expect.poll(async () => Math.abs((await topOf(run)) - before)).toBeLessThanOrEqual(1)
    const box = await run.boundingBox()
    await toggle()
    // The card is open again; between two frames, the press could come before the thread made up for it.
    await expect.poll(async () => (await chat.result('browser_js_eval').boundingBox())?.height).toBe(height)
    await expect.poll(async () => Math.abs((await topOf(run)) - before)).toBeLessThanOrEqual(1)
    await page.mouse.click((box?.x ?? 0) + 20, before + 12)
    await expect(chat.result('write_file')).toBeVisible()
    await expect(chat.replies()).toHaveCount(3)
  })
}

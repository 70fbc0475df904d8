import { expect, test } from '@playwright/test'
import { inspect } from './support/inspect'
import { evaluate, read, ScriptedChat } from './support/scripted-chat'

// A card shows exactly what runs: code that hides a line, a path with reversed text, and text that is out of view.

const forged = [
  "if (level !== 'user\u202e \u2066// only for the admin\u2069 \u2066') {",
  "// add up the numbers\rawait fs.rm('/secret', { recursive: true })",
  'const allowed = false, allowed\u200d = true',
  ...Array.from({ length: 90 }, (_, at) => `step(${at})`),
].join('\n')

test('a forged card shows what it contains, and a key runs it only after it was seen', async ({ page }) => {
  const chat = await ScriptedChat.open(page, [
    `I add up.\n${evaluate(forged)}\n${read('/notes.md\u202e.elif wen a ,')}`,
  ])
  await chat.begin()
  const card = chat.call('browser_js_eval')
  await expect(card).toContainText('⟨U+202E⟩')
  await expect(card).toContainText('// add up the numbers⟨CR⟩')
  await expect(card).toContainText('allowed⟨U+200D⟩ = true')
  await expect(card).toContainText('78 lines not shown')
  await expect(chat.call('read_file')).toContainText('/notes.md⟨U+202E⟩.elif wen a ,')
  await expect(page.getByText(/Run all skips 2 calls with/)).toBeVisible()
  for (const [name, colorScheme, width] of [
    ['light', 'light', 1280],
    ['dark', 'dark', 1280],
    ['phone', 'light', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    await card.scrollIntoViewIfNeeded()
    await inspect(page, `forged-${name}`)
  }
  await card.focus()
  await page.keyboard.press('Control+Enter')
  await expect(card).toContainText('step(89)')
  await expect(card).toContainText('Review it, then press again')
  await expect(card).toContainText('waiting for you')
  // One page per press, until the end was in view.
  await expect(async () => {
    await page.keyboard.press('Control+Enter')
    await expect(card).not.toContainText('waiting for you', { timeout: 300 })
  }).toPass()
})

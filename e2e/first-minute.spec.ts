import { expect, test } from '@playwright/test'
import { strategyIds } from '@/lib/protocols/types/tool-context-def'
import { Chat } from './support/chat'

// A new user's first minute, once in each strategy: nothing runs before a click, files are real, code is computed, and
// the model continues with the results. On each change it runs in one textual strategy; recorded replies cover provider
// calls (`model-server.spec.ts`), and all others nightly.
const onEachChange = new Set<string>(['JSON_Strict'])
for (const strategy of strategyIds) {
  const details = onEachChange.has(strategy) ? {} : { tag: '@nightly' }
  test(`first minute with the demo model in ${strategy}`, details, async ({ page }) => {
    const problems: string[] = []
    page.on('console', (line) => line.type() === 'error' && problems.push(line.text()))
    page.on('pageerror', (error) => problems.push(error.message))
    const chat = new Chat(page)
    await chat.open()
    await expect(chat.message).toBeFocused()
    await chat.choose(strategy)

    await chat.send('write /notes/a.md: # Plan\nbuy "milk" & <eggs>')
    const write = chat.call('write_file')
    await expect(write).toContainText('waiting for you')
    await expect(write).toContainText('/notes/a.md')
    await expect(write).toContainText(`via ${strategy}`)
    await expect(page).toHaveURL(/\/c\/[0-9a-f-]{36}$/)
    // The protocol itself is never visible.
    await expect(chat.log).not.toContainText(/tool_calls|<tool_code>|TOOL_REQUEST|<tool_action|"action"|tool_call|␞/)
    await expect(chat.result('write_file')).toHaveCount(0)
    await chat.runThrough('write_file')
    await expect(chat.result('write_file')).toContainText('done')

    await chat.send('read /notes/a.md')
    await chat.runThrough('read_file')
    await expect(chat.result('read_file')).toContainText('done')
    await page.mouse.move(2, 2)
    await expect(chat.result('read_file')).toContainText('buy "milk" & <eggs>')

    await chat.send('compute 6 * 7')
    await expect(chat.call('browser_js_eval')).toContainText('waiting for you')
    await chat.runThrough('browser_js_eval')
    await expect(chat.result('browser_js_eval')).toContainText('done')
    await expect(chat.replies().last()).toContainText('42')

    await page.reload()
    await expect(chat.result('write_file')).toContainText('done')
    await expect(chat.result('browser_js_eval')).toContainText('done')
    expect(problems).toEqual([])
  })
}

test('each starter gives its first result with two clicks', async ({ page }) => {
  await page.addInitScript(() => {
    window.addEventListener(
      'click',
      ({ isTrusted }) => {
        if (isTrusted) sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks')) + 1))
      },
      true,
    )
  })
  const chat = new Chat(page)
  for (const [starter, tool, run] of [
    ['Build a small page with a button that counts', 'write_file', 'Run all'],
    ['Make a table of orders and total it by month', 'write_file', 'Run'],
    ['Draft a packing list as a file', 'write_file', 'Run'],
    ['Roll 1,000 dice and draw a chart', 'browser_js_eval', 'Run'],
  ] as const) {
    await chat.open()
    await page.evaluate(() => sessionStorage.setItem('clicks', '0'))
    await page.getByRole('button', { name: starter }).click()
    await expect(chat.call(tool).first()).toContainText('waiting for you')
    await page.getByRole('button', { name: run, exact: true }).click()
    await expect(chat.result(tool).first()).toContainText('done')
    expect(await page.evaluate(() => Number(sessionStorage.getItem('clicks')))).toBe(2)
  }
})

import AxeBuilder from '@axe-core/playwright'
import { expect, test, type Page } from '@playwright/test'
import { appUrl } from './support/addresses'

const reply = `<think>The folder first.</think>
<tool_code>{"name": "list_directory", "arguments": {"path": "/notes",}}</tool_code>
\`\`\`xml
<tool_code>{"name": "read_file", "arguments": {"path": "/a.md"}}</tool_code>
\`\`\`
<tool_call>{"name": "read_file", "arguments": {"path": "/notes/a.md"}}</tool_call>
<tool_code>{"name": "write_file", "arguments": {"path": "/notes/b.md", "content": "# Plan`

const parts = (page: Page) => ({
  field: page.getByRole('textbox', { name: 'Reply', exact: true }),
  reading: page.getByRole('region', { name: 'Reading', exact: true }),
  strategy: page.getByRole('combobox', { name: 'Call format', exact: true }),
})

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
    .analyze()
  expect(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(' | ')}`)).toEqual([])
}

test('a pasted reply is explained part by part, and its link opens the same reading in another tab', async ({
  page,
}) => {
  await page.goto(`${appUrl}/playground`)
  const { field, reading, strategy } = parts(page)
  await strategy.selectOption('XML_Tag')
  await field.fill(reply)
  await expect(reading).toContainText('1 call, 3 that are not')
  await expect(reading.getByRole('button', { name: /Call list_directory/ })).toContainText(
    'this is a card that waits for you',
  )
  await expect(reading.getByRole('button', { name: /Example, not a call/ })).toContainText('code block marked xml')
  await expect(reading.getByRole('button', { name: /Another format/ })).toContainText('Hermes')
  await expect(reading.getByRole('button', { name: /Can’t be read write_file/ })).toContainText(
    'in the middle of content',
  )

  // The colored layer is exactly under the field's own lines.
  const heights = await page.evaluate(() =>
    ['textarea[aria-label=Reply]', '[data-layer]'].map((one) => document.querySelector(one)?.scrollHeight),
  )
  expect(heights[0]).toBe(heights[1])

  // By keyboard: the focused item highlights its text.
  await reading.getByRole('button', { name: /Another format/ }).focus()
  await expect(page.locator('[data-layer] [data-on]')).toHaveText(/tool_call/)
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Share by link', exact: true }).click()
  await expect(page).toHaveURL(/#read=1\./)
  const other = await page.context().newPage()
  await other.goto(page.url())
  await expect(parts(other).field).toHaveValue(reply)
  await expect(parts(other).strategy).toHaveValue('XML_Tag')
  await expect(parts(other).reading).toContainText('1 call, 3 that are not')

  // A damaged link says so, and replaces nothing.
  await other.evaluate(() => {
    location.hash = 'read=1.damaged'
  })
  await expect(other.getByRole('alert').filter({ hasText: 'damaged or incomplete' })).toBeVisible()
  await expect(parts(other).field).toHaveValue(reply)
})

test('every panel has an address, and the choice of tools applies to all of them @nightly', async ({ page }) => {
  await page.goto(`${appUrl}/playground#tools`)
  const found = page.getByRole('region', { name: 'Tools found' })
  await expect(found).toBeInViewport()
  await found.getByRole('combobox', { name: 'read_file counts as' }).selectOption('off')
  await expect(found).toContainText('It is turned off here')
  await page.getByRole('navigation', { name: 'Panels' }).getByRole('link', { name: 'Prompt', exact: true }).click()
  await expect(page).toHaveURL(/#prompt$/)
  const told = page.getByRole('region', { name: 'Prompt part: Tools' })
  await expect(told).toContainText('write_file(')
  await expect(told).not.toContainText('read_file(')
  await page.goBack()
  await expect(page).toHaveURL(/#tools$/)
  await expect(found).toBeInViewport()

  const { field, reading, strategy } = parts(page)
  await strategy.selectOption('XML_Tag')
  await field.fill('<tool_code>{"name": "read_file", "arguments": {"path": "/a"}}</tool_code>')
  await expect(reading).toContainText('1 call, which cannot run')

  await page.getByRole('combobox', { name: 'Tool', exact: true }).selectOption('write_file')
  await page.getByRole('tab', { name: 'Form', exact: true }).click()
  const form = page.getByRole('group', { name: 'Arguments of write_file' })
  await form.getByRole('textbox', { name: 'path' }).fill('/made/by-form.md')
  // It asks as a chat does: denied, nothing runs and a model would be told so; allowed, it asks about the result.
  const runTool = page.getByRole('button', { name: 'Run tool', exact: true })
  const question = page.getByRole('group', { name: 'Run write_file?' })
  const outcome = page.getByRole('region', { name: 'Outcome' })
  const toModel = page.getByRole('region', { name: 'What a model would get' })
  await runTool.click()
  await expect(question).toContainText('/made/by-form.md')
  await expectAccessible(page)
  await question.getByRole('textbox', { name: /^Reason/ }).fill('Not yet.')
  await question.getByRole('button', { name: 'Deny', exact: true }).click()
  await expect(toModel).toContainText('execution_rejected')
  await expect(toModel).toContainText('Not yet.')
  await expect(outcome).toContainText('Nothing has run yet.')
  await runTool.click()
  await expect(question).toBeFocused()
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(outcome).toContainText('/made/by-form.md')
  const result = page.getByRole('group', { name: 'Send the result of write_file?' })
  await expect(toModel).toHaveCount(0)
  await result.getByRole('button', { name: 'Don’t send', exact: true }).click()
  await expect(toModel).toContainText('result_rejected')
  await expect(toModel).not.toContainText('by-form.md')
  await expectAccessible(page)
})

test('a reply of 1 MB is parsed without blocking the page', { tag: '@nightly' }, async ({ page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${appUrl}/playground`)
  const { field, reading, strategy } = parts(page)
  await strategy.selectOption('XML_Tag')
  const call = '<tool_code>{"name": "read_file", "arguments": {"path": "/notes/a.md"}}</tool_code>\n'
  const long = call.repeat(Math.ceil(1_000_000 / call.length))
  await page.evaluate((text) => navigator.clipboard.writeText(text), long)
  await field.press('ControlOrMeta+V')
  await expect(reading).toContainText(/12,\d{3} more are not listed|[\d,]+ calls/)
  await expect(page.getByText('too long to highlight in place')).toBeVisible()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(field).toHaveValue('')
  await expect(page.getByRole('button', { name: 'Restore the previous text' })).toBeVisible()
})

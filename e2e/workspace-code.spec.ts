import { expect, test } from '@playwright/test'
import { evaluate, press, read, ScriptedChat, unfold } from './support/scripted-chat'

// Code works on a layer over the files: its changes are applied in one step, after a question or immediately.

const writes = evaluate(
  "await fs.mkdir('/out'); await fs.writeFile('/out/report.md', 'first\\nsecond\\n'); await fs.rm('/old.md', { force: true }); 'written'",
)
const reads = read('/out/report.md')
const asks = { codeChanges: 'ask' } as const

test('asked after the run: the card shows what would change, and Keep applies it to the files', async ({ page }) => {
  const chat = await ScriptedChat.open(page, [writes, reads, 'Done.'], { tools: asks })
  await chat.begin()
  await chat.run('browser_js_eval')
  const card = chat.call('browser_js_eval')
  await expect(card).toContainText('changes need review')
  await expect(card).toContainText(
    'The code ran and would change 1 file and 1 folder. Your files are unchanged so far.',
  )
  expect(await chat.sent()).toHaveLength(1)
  await press(card, '/out/report.md')
  await expect(card).toContainText('second')
  await card.getByRole('button', { name: 'Keep' }).click()
  expect(await chat.told(2)).toContain('created /out/report.md, 13 B')
  await chat.settled()
  // By keyboard, because the card still grows: the note on the value's origin is added.
  const run = chat.call('read_file').getByRole('button', { name: 'Run', exact: true })
  // Run waits for the check of where the call comes from.
  await expect(run).toBeEnabled()
  await run.focus()
  await page.keyboard.press('Enter')
  expect(await chat.told(3)).toContain('second')
})

test('asked after the run: Discard leaves all files unchanged, and the model is informed', async ({ page }) => {
  const chat = await ScriptedChat.open(page, [writes, reads, 'I see.'], { tools: asks })
  await chat.begin()
  await chat.run('browser_js_eval')
  const card = chat.call('browser_js_eval')
  await expect(card).toContainText('changes need review')
  await card.focus()
  await page.keyboard.press('Control+Backspace')
  expect(await chat.told(2)).toContain('did not keep it: all files are as they were before.')
  await chat.settled()
  await chat.runThrough('read_file')
  expect(await chat.told(3)).toContain('There is no file at /out/report.md')
})

test('a reload while its changes wait keeps none of them, and says so', async ({ page }) => {
  const chat = await ScriptedChat.open(page, [writes, 'I see.'], { tools: asks })
  await chat.begin()
  await chat.run('browser_js_eval')
  await expect(chat.call('browser_js_eval')).toContainText('changes need review')
  await page.reload()
  const card = chat.call('browser_js_eval')
  await expect(card).toContainText('interrupted')
  await expect(card).toContainText('None of its file changes were kept.')
  await press(card, 'Tell the model')
  expect(await chat.told(2)).toContain('None of its changes to files were kept.')
})

test('kept immediately: the card lists the files that it changed', async ({ page }) => {
  const chat = await ScriptedChat.open(page, [writes, 'Done.'])
  await chat.begin()
  await chat.runThrough('browser_js_eval')
  const card = chat.result('browser_js_eval')
  await unfold(card, card.getByText('It changed 1 file and 1 folder.'))
  await press(card, 'Details')
  await card.getByRole('tab', { name: /^Files/ }).click()
  await expect(card.getByRole('list', { name: 'Changed files' })).toContainText('/out/report.md')
})

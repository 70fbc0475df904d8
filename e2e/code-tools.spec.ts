import { expect, test } from '@playwright/test'
import { inspect } from './support/inspect'
import { evaluate, press, ScriptedChat } from './support/scripted-chat'

// Code calls tools: the code pauses, the calls wait on its card, and the code continues with their results.

test('the tool calls of code wait on its card and run together; a denied call throws in the code', async ({ page }) => {
  const code = `
    const times = await Promise.all(['UTC', 'Asia/Tokyo'].map((time_zone) => tools.get_time({ time_zone })))
    const said = await tools.get_time({ time_zone: 'Europe/Oslo' }).catch((error) => error.name + ': ' + error.message)
    const town = await tools.ask_user({ question: 'Which town do you mean?' })
    return { count: times.length, said, town }`
  const chat = await ScriptedChat.open(page, [evaluate(code), 'All is known.'], { tools: { timeoutMs: 2_000 } })
  await chat.begin()
  await chat.run('browser_js_eval')
  const card = chat.call('browser_js_eval')
  await expect(card).toContainText('The code asks to call 2 tools. Its time limit is paused.')
  await expect(card).toContainText('Asia/Tokyo')
  await inspect(page, 'code-tools-waiting')
  await expect(card.getByRole('button', { name: 'Run all 2' })).toBeEnabled()
  await card.getByRole('button', { name: 'Run all 2' }).press('Enter')
  await expect(card).toContainText('Europe/Oslo')
  await card.getByRole('button', { name: 'Deny with a reason' }).press('Enter')
  await page.keyboard.type('Not Oslo')
  await page.keyboard.press('Enter')
  await card.getByRole('textbox', { name: 'Your answer' }).fill('Bergen')
  await inspect(page, 'code-tools-asking')
  await press(card, 'Answer')
  const told = await chat.told(2)
  expect(told).toContain('The user denied this call. Not Oslo')
  expect(told).toContain('Bergen')
  expect(told).toContain('3 inner calls ran, 1 failed or was denied')
  await chat.settled()
  const result = chat.result('browser_js_eval')
  await result.getByRole('button', { expanded: false }).first().press('Enter')
  await expect(result).toContainText('The code called 4 tools')
  await inspect(page, 'code-tools-done')
  const [call] = (await chat.view()).calls
  expect(call?.inner?.map(({ decision }) => decision)).toEqual(['run', 'run', 'deny', 'run'])
})

test('after a reload, code gets the stored answers and asks only for the rest', async ({ page }) => {
  const code =
    "const a = await tools.get_time({ time_zone: 'UTC' }); const b = await tools.get_time({ time_zone: 'Asia/Tokyo' }); return [a, b].length"
  const chat = await ScriptedChat.open(page, [evaluate(code), 'Two times.'])
  await chat.begin()
  await chat.run('browser_js_eval')
  const card = chat.call('browser_js_eval')
  const asked = card.getByRole('group', { name: 'Tool call: get_time' })
  await expect(asked.getByRole('button', { name: 'Run', exact: true })).toBeEnabled()
  await asked.getByRole('button', { name: 'Run', exact: true }).press('Enter')
  await expect(asked).toContainText('Asia/Tokyo')
  await page.reload()
  await expect(card).toContainText('interrupted')
  await press(card, 'Run again')
  await expect(asked).toContainText('Asia/Tokyo')
  await expect(asked.getByRole('button', { name: 'Run', exact: true })).toBeEnabled()
  await asked.getByRole('button', { name: 'Run', exact: true }).press('Enter')
  expect(await chat.told(2)).toContain('2 inner calls ran')
  const [call] = (await chat.view()).calls
  expect(call?.inner?.map(({ n, attempt }) => [n, attempt])).toEqual([
    [1, 1],
    [2, 2],
  ])
})

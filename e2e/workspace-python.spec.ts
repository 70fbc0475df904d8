import { expect, test } from '@playwright/test'
import { ScriptedChat, write, xmlCall } from './support/scripted-chat'

const code = `import csv
with open('/data/sales.csv') as f:
    rows = list(csv.DictReader(f))
total = sum(int(row['amount']) for row in rows)
open('/data/total.txt', 'w').write(str(total))
print('read', len(rows), 'rows')
display(rows)
{'total': total}`

test('Python is switched on in the settings, reads a file of the chat and writes another', async ({ page }) => {
  // A machine that does other things takes long to start Python for the first time.
  test.setTimeout(100_000)
  const chat = await ScriptedChat.open(page, [
    write('/data/sales.csv', 'region,amount\nnorth,10\nsouth,32\n'),
    xmlCall('python_eval', { code }),
    xmlCall('read_file', { path: '/data/total.txt' }),
    'The total is 42.',
  ])

  await page.getByRole('button', { name: 'Chat settings' }).click()
  const settings = page.getByRole('dialog', { name: 'Chat settings' })
  await settings.getByRole('tab', { name: 'Tools' }).click()
  const python = settings.getByRole('switch', { name: 'Offer python_eval' })
  await expect(python).not.toBeChecked()
  await expect(settings).toContainText('Downloads 6 MB on first use.')
  await python.click()
  await expect(python).toBeChecked()
  await page.keyboard.press('Escape')

  await chat.begin()
  await chat.runThrough('write_file')
  await expect(chat.call('python_eval')).toContainText('8 lines of Python')
  await chat.run('python_eval')
  await expect(chat.card('python_eval')).toContainText(/Loading Python, \d+ of 13 MB|Starting Python/)
  await expect(chat.result('python_eval')).toContainText('done', { timeout: 40_000 })
  const told = await chat.told(3)
  expect(told).toContain('{"total":42}')
  expect(told).toContain('read 2 rows')

  await chat.runThrough('read_file')
  expect(await chat.told(4)).toContain('42')
  const [wasm] = await page.evaluate(() =>
    performance.getEntriesByType('resource').filter(({ name }) => name.includes('asm.wasm')),
  )
  expect(wasm).toBeTruthy()
})

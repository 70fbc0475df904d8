import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { makeWheel } from '../lib/sandbox/testing/make-wheel'
import { serverEntry } from '../scripts/setup/paths.mjs'
import { serverEnv } from './support/server-env'
import { ScriptedChat, write, xmlCall } from './support/scripted-chat'

/** The release's command, on the running server's data; its pins are written into `cwd`. */
const pythonAdd = (cwd: string, ...words: readonly string[]) =>
  promisify(execFile)(process.execPath, [path.resolve(serverEntry('.'), '../python-add.cjs'), ...words], {
    cwd,
    env: { ...process.env, ...serverEnv(path.resolve('.cache/e2e-data')) },
  })

const code = `import csv, journey_words
from openpyxl import Workbook, load_workbook
with open('/data/sales.csv') as f:
    rows = list(csv.DictReader(f))
total = sum(int(row['amount']) for row in rows)
open('/data/total.txt', 'w').write(str(total))
print('read', len(rows), 'rows')
display(rows)
book = Workbook()
book.active.append([journey_words.word, total])
book.save('/data/total.xlsx')
print([cell.value for cell in load_workbook('/data/total.xlsx').active[1]])
{'total': total}`

test('Python is switched on in the settings, imports packages, reads a file of the chat and writes another @nightly', async ({
  page,
}) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'nod-e2e-python-'))
  const wheel = makeWheel({ name: 'journey-words', members: { 'journey_words.py': 'word = "north"' } })
  await writeFile(path.join(folder, wheel.file), wheel.data)
  await pythonAdd(folder, 'journey-words==1.0', '--from', folder)
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
  await expect(chat.call('python_eval')).toContainText('13 lines of Python')
  await chat.run('python_eval')
  await expect(chat.card('python_eval')).toContainText(/Loading Python, \d+ of 13 MB|Starting Python/)
  await expect(chat.result('python_eval')).toContainText('done', { timeout: 40_000 })
  const told = await chat.told(3)
  expect(told).toContain('{"total":42}')
  expect(told).toContain('read 2 rows')
  expect(told).toContain("['north', 42]")
  expect(JSON.stringify(await chat.sent())).toContain('Standard library, journey-words, defusedxml, openpyxl, pypdf')

  await chat.runThrough('read_file')
  expect(await chat.told(4)).toContain('42')
  const [wasm] = await page.evaluate(() =>
    performance.getEntriesByType('resource').filter(({ name }) => name.includes('asm.wasm')),
  )
  expect(wasm).toBeTruthy()
  await pythonAdd(folder, '--remove', 'journey-words')
  await rm(folder, { recursive: true })
})

import { deflateSync } from 'node:zlib'
import { expect, test, type Page } from '@playwright/test'
import { Chat } from './support/chat'
import { inspect } from './support/inspect'
import { read, ScriptedChat } from './support/scripted-chat'

/** A real picture: black, `side` pixels wide and high. */
function png(side: number): Buffer {
  const rows = Buffer.alloc(side * (side + 1))
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 0, 0, 0, 0], 8)
  const start = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1')
  return Buffer.concat([start, chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))])
}

function crc32(data: Buffer): number {
  let sum = 0xffffffff
  for (const byte of data) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}

const attached = (page: Page) => page.getByRole('list', { name: 'Attached files' })
const ofMessage = (page: Page) => page.getByRole('list', { name: 'Files of this message' })

async function choose(page: Page, files: readonly { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'More for this message', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Attach files' }).click()
  await (await chooser).setFiles([...files])
}

async function drop(page: Page, name: string, text: string): Promise<void> {
  const data = await page.evaluateHandle(
    ([file, content]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([content], file))
      return transfer
    },
    [name, text] as const,
  )
  const main = page.getByRole('main')
  await main.dispatchEvent('dragover', { dataTransfer: data })
  await expect(page.getByText('Drop files to attach them')).toBeVisible()
  await main.dispatchEvent('drop', { dataTransfer: data })
  await expect(page.getByText('Drop files to attach them')).toHaveCount(0)
}

test('files come with a message: the model is informed, sees the picture, and can read them', async ({ page }) => {
  const chat = await ScriptedChat.open(page, ['Ready.', read('/attachments/orders.csv'), 'Three orders.'])
  await chat.begin()
  await choose(page, [
    { name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from('id,total\n1,20\n2,30\n3,40\n') },
    { name: 'big.png', mimeType: 'image/png', buffer: png(2000) },
  ])
  await expect(attached(page).getByRole('listitem')).toHaveCount(2)
  await drop(page, 'note.txt', 'dropped </tool_code> words')
  await expect(attached(page)).toContainText('note.txt')
  await chat.ask('What is in these?')

  const told = (await chat.sent())[1]?.messages.at(-1)
  expect(told?.content).toContain('What is in these?')
  expect(told?.content).toContain('The user attached 3 files.')
  expect(told?.content).toContain(
    '"path":"/attachments/orders.csv","type":"text/csv","size":"24 B","content":"id,total',
  )
  expect(told?.content).not.toContain('</tool_code>')
  expect(told?.pictures).toHaveLength(1)
  // Scaled down for the model; the stored file is unchanged.
  const data = Buffer.from(told?.pictures?.[0]?.replace('data:image/png;base64,', '') ?? '', 'base64')
  expect(data.readUInt32BE(16)).toBe(1568)

  await expect(ofMessage(page).getByRole('button')).toHaveCount(3)
  await expect(ofMessage(page).locator('img')).toHaveJSProperty('complete', true)
  await expect(attached(page)).toHaveCount(0)
  await chat.runThrough('read_file')
  expect(await chat.told(3)).toContain('2,30')

  await page.reload()
  await expect(ofMessage(page)).toContainText('orders.csv')
  const picture = ofMessage(page).locator('img')
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)

  // An edited message keeps its files.
  const article = page.getByRole('article', { name: 'You' }).last()
  await article.hover()
  await article.getByRole('button', { name: 'Edit', exact: true }).click()
  await article.getByRole('textbox', { name: 'Edited message' }).fill('And now?')
  await article.getByRole('button', { name: 'Send', exact: true }).click()
  await expect.poll(async () => (await chat.sent()).length).toBe(4)
  const again = (await chat.sent())[3]?.messages.at(-1)
  expect(again?.content).toContain('And now?')
  expect(again?.content).toContain('The user attached 3 files.')
  expect(again?.pictures).toEqual(told?.pictures)
})

test('files of an unsent chat survive a reload, can be removed, and can be sent without text @nightly', async ({
  page,
}) => {
  const chat = new Chat(page)
  await chat.open()
  await chat.chooseModel(/demo/i)
  await choose(page, [
    { name: 'keep.txt', mimeType: 'text/plain', buffer: Buffer.from('kept') },
    { name: 'cat.png', mimeType: 'image/png', buffer: png(40) },
  ])
  await expect(page.getByText(/cannot see images\. Only the name and size are sent\./)).toBeVisible()
  await expect(attached(page).locator('img')).toBeVisible()
  await page.reload()
  await expect(attached(page)).toContainText('keep.txt')
  await attached(page).getByRole('button', { name: 'Remove cat.png' }).click()
  await expect(attached(page)).not.toContainText('cat.png')
  // Its label must be legible under the pointer, too.
  await page.getByRole('button', { name: 'Send', exact: true }).hover()
  await inspect(page, 'attached')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(ofMessage(page)).toContainText('keep.txt')
  await chat.settled()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('keep.txt')
  await page.reload()
  await expect(ofMessage(page)).toContainText('keep.txt')
  await expect(attached(page)).toHaveCount(0)
})

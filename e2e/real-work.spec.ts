import path from 'node:path'
import { expect, test } from '@playwright/test'
import { makeXlsx } from '@/lib/sandbox/documents/testing/make-office'
import { contract, drop, NOTICE } from './support/documents'
import { read, ScriptedChat, write, xmlCall } from './support/scripted-chat'

const ROWS = 100_000
const customers = ['Anker', 'Birke', 'Cedar', 'Dorn', 'Eibe', 'Fichte', 'Ginkgo']
const amountOf = (n: number): number => (n * 37) % 1_000

/** The total of each customer's orders, largest first. */
const sums = customers
  .map((name, at) => {
    let sum = 0
    for (let n = at; n < ROWS; n += customers.length) sum += amountOf(n)
    return [name, sum] as const
  })
  .toSorted(([, a], [, b]) => b - a)

const workbook = (): Buffer => {
  const text = (cell: string, value: string) => `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`
  const head = `<row r="1">${text('A1', 'customer')}${text('B1', 'amount')}</row>`
  const rows = Array.from({ length: ROWS }, (_, n) => {
    const name = customers[n % customers.length] ?? ''
    return `<row r="${n + 2}">${text(`A${n + 2}`, name)}<c r="B${n + 2}"><v>${amountOf(n)}</v></c></row>`
  })
  return Buffer.from(makeXlsx([{ name: 'orders', rows: head + rows.join('') }]))
}

test(
  'a contract, 100,000 orders and a skill answer one question within five approvals',
  { tag: '@nightly' },
  async ({ page }) => {
    const [largest = ['', 0]] = sums
    const answer = `Give ${NOTICE} of notice to ${largest[0]}, who ordered ${largest[1]}.`
    const chat = await ScriptedChat.open(page, [
      read('/skills/team-updates/SKILL.md'),
      xmlCall('search_files', { query: 'notice period' }),
      xmlCall('sql_query', { query: 'select customer, sum(amount) as total from orders group by 1 order by 2 desc' }),
      write('/reports/notice.md', `# Notice\n\n${answer}\n`),
      answer,
    ])
    await page.getByRole('button', { name: 'Chat settings' }).click()
    const settings = page.getByRole('dialog', { name: 'Chat settings' })
    await settings.getByRole('tab', { name: 'Skills' }).click()
    await settings
      .getByLabel('From a folder…')
      .setInputFiles(path.join(import.meta.dirname, 'fixtures/skills/team-updates'))
    await settings.getByRole('button', { name: 'Review team-updates' }).click()
    await page
      .getByRole('dialog', { name: 'What the model will read' })
      .getByRole('button', { name: 'Approve' })
      .click()
    await expect(settings.getByRole('switch', { name: 'Offer team-updates to the model' })).toBeChecked()
    await page.keyboard.press('Escape')

    await drop(page, [
      { name: 'contract.pdf', data: contract() },
      { name: 'orders.xlsx', data: workbook() },
    ])
    const attached = page.getByRole('list', { name: 'Attached files' })
    await expect(attached.getByRole('listitem').filter({ hasText: 'contract.pdf' })).toContainText('40 pages')
    await expect(attached.getByRole('listitem').filter({ hasText: 'orders.xlsx' })).toContainText(/1 sheet, about/, {
      timeout: 30_000,
    })
    await chat.ask(`Who is our largest customer, and how much notice do we have to give? script:${chat.id}`)
    const asked = (await chat.sent())[0]?.messages ?? []
    expect(asked[0]?.content).toContain('- team-updates:')
    // The server gets only the first page and the head of the sheet.
    expect(JSON.stringify(asked).length).toBeLessThan(60_000)

    await chat.runThrough('read_file')
    await chat.runThrough('search_files')
    expect(await chat.told(3)).toContain(`The notice period is ${NOTICE}.`)
    await chat.run('sql_query')
    expect(await chat.told(4)).toContain(JSON.stringify(largest))
    await chat.runThrough('write_file')
    await expect(page.getByText(answer).last()).toBeVisible()
  },
)

import path from 'node:path'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { inspect } from './support/inspect'
import { looks, appearancesOf, testsAllAppearances } from './support/appearances'
import { inChinese } from './support/every-appearance'
import { read, ScriptedChat, write, xmlCall } from './support/scripted-chat'

// Skills of a chat: they are added, offered once approved, read and run like files, and turned off by a change.

async function skillsOf(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Chat settings' }).click()
  const settings = page.getByRole('dialog', { name: 'Chat settings' })
  await settings.getByRole('tab', { name: 'Skills' }).click()
  return settings
}

async function approve(page: Page, settings: Locator, name: string, seen?: () => Promise<void>): Promise<void> {
  await settings.getByRole('button', { name: `Review ${name}` }).click()
  const sheet = page.getByRole('dialog', { name: 'What the model will read' })
  await expect(sheet.getByRole('button', { name: 'Approve' })).toBeVisible()
  await seen?.()
  await sheet.getByRole('button', { name: 'Approve' }).click()
  await expect(settings.getByRole('switch', { name: `Offer ${name} to the model` })).toBeChecked()
}

const promptOf = async (chat: ScriptedChat, request: number): Promise<string> =>
  (await chat.sent())[request]?.messages[0]?.content ?? ''

/** Written by people, models and packages. */
const written = /./

const table = 'city,amount\nOslo,10\nBergen,20\nOslo,12\nBergen,8\n'

for (const look of appearancesOf('light', 'darkPhone')) {
  test.describe(look, () => {
    test.use(looks[look])

    test('a built-in skill is added, approved, read and run, and is off once the model changed it', async ({
      page,
    }) => {
      const chat = await ScriptedChat.open(page, [
        write('/data/orders.csv', table),
        read('/skills/csv-report/SKILL.md'),
        xmlCall('browser_js_eval', {
          file: '/skills/csv-report/scripts/report.js',
          args: ['/data/orders.csv', '/reports/orders.md'],
        }),
        xmlCall('edit_file', {
          path: '/skills/csv-report/SKILL.md',
          edits: [{ search: 'three to five sentences', replace: 'two sentences' }],
        }),
        'Bergen has the largest sum, 28.',
      ])
      const settings = await skillsOf(page)
      const add = settings.getByRole('button', { name: 'Add csv-report' })
      await expect(add).toBeVisible()
      if (testsAllAppearances) await inspect(page, `skills-none-${look}`)
      await add.click()
      await approve(page, settings, 'csv-report', async () => {
        await inspect(page, `skills-review-${look}`)
        await inChinese(page, `skills-review-${look}`, written)
      })
      await inspect(page, `skills-${look}`)
      await page.keyboard.press('Escape')

      await chat.begin()
      const prompt = await promptOf(chat, 0)
      expect(prompt).toContain('- csv-report: "Sums up a table and writes a one-page report.')
      expect(prompt).toContain('There is no shell here')
      await chat.runThrough('write_file')
      await chat.runThrough('read_file')
      expect(await chat.told(3)).toContain('# CSV report')

      await expect(chat.call('browser_js_eval')).toContainText('/skills/csv-report/scripts/report.js')
      await expect(chat.call('browser_js_eval')).toContainText('Writes a one-page report about a CSV or TSV file.')
      await inspect(page, `skills-script-${look}`)
      await inChinese(page, `skills-script-${look}`, written)
      await chat.runThrough('browser_js_eval')
      const told = await chat.told(4)
      expect(told).toContain('| Bergen | 2 | 28 |')
      expect(told).toContain('created /reports/orders.md')

      await expect(chat.call('edit_file')).toContainText('This changes a skill.')
      await chat.runThrough('edit_file')
      await chat.told(5)
      expect(await promptOf(chat, 3)).toContain('- csv-report:')
      expect(await promptOf(chat, 4)).not.toContain('csv-report')

      const again = await skillsOf(page)
      await expect(again).toContainText('Changed since you approved it: 1 file.')
      await again.getByRole('button', { name: 'Review csv-report' }).click()
      const sheet = page.getByRole('dialog', { name: 'What the model will read' })
      await expect(sheet.locator('ins')).toHaveText('two')
      if (testsAllAppearances) await inspect(page, `skills-changed-${look}`)
      await inChinese(page, `skills-changed-${look}`, written)
    })
  })
}

test('skills of three structures are added from a folder and run unchanged @nightly', async ({ page }) => {
  const box = (label: string, y: number) => ({
    page: 1,
    label,
    label_box: [0, y, 50, y + 20],
    entry_box: [60, y, 200, y + 8],
  })
  const check = xmlCall('python_eval', {
    file: '/skills/form-boxes/scripts/check_boxes.py',
    args: ['/fields.json', '--font-size', '12'],
  })
  const chat = await ScriptedChat.open(
    page,
    [
      read('/skills/team-updates/examples/weekly.md'),
      read('/skills/layout-rules/rules/line-length.md'),
      write('/fields.json', JSON.stringify([box('Name', 0), box('Date', 10)])),
      check,
      'Two problems.',
    ],
    { tools: { toolToggles: { python_eval: true } } },
  )
  const settings = await skillsOf(page)
  await settings.getByLabel('From a folder…').setInputFiles(path.join(import.meta.dirname, 'fixtures/skills'))
  for (const name of ['form-boxes', 'layout-rules', 'team-updates']) await approve(page, settings, name)
  await page.keyboard.press('Escape')
  await chat.begin()
  const prompt = await promptOf(chat, 0)
  for (const name of ['form-boxes', 'layout-rules', 'team-updates'])
    expect(prompt).toContain(`(read /skills/${name}/SKILL.md)`)
  await chat.runThrough('read_file')
  expect(await chat.told(2)).toContain('Numbers come before adjectives.')
  await chat.runThrough('read_file')
  await chat.runThrough('write_file')
  await expect(chat.call('python_eval')).toContainText('Checks that no two boxes of a form overlap')
  await chat.run('python_eval')
  await expect(chat.result('python_eval')).toContainText('SystemExit: 1', { timeout: 60_000 })
  const told = await chat.told(5)
  expect(told).toContain('entry of Name is 8 high: less than its text of 12')
  expect(told).toContain('label of Date overlaps label of Name')
})

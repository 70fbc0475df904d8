import { expect, test, type Page } from '@playwright/test'
import { appUrl } from './support/addresses'
import { Chat } from './support/chat'
import { inspect } from './support/inspect'

const menuOf = async (page: Page, button: string, item: string) => {
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

async function newProject(page: Page, name: string): Promise<void> {
  await menuOf(page, 'Start a chat with a preset or in a project', 'New project…')
  const naming = page.getByRole('dialog', { name: 'New project' })
  await naming.getByRole('textbox', { name: 'Name' }).fill(name)
  await naming.getByRole('button', { name: 'Create project' }).click()
  await expect(page.getByText(`In project ${name}.`)).toBeVisible()
}

const conversationIn = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? ''

test('many chats are moved into a project at once, and back; a reload keeps the project of a new chat @nightly', async ({
  page,
}) => {
  const chat = new Chat(page)
  await chat.open()
  await chat.ask('list files')
  await page.getByRole('button', { name: 'New chat', exact: true }).first().click()
  await chat.ask('compute 6 * 7')
  await newProject(page, 'Boat')
  await chat.message.fill('half a thought')
  await page.reload()
  await expect(page.getByText('In project Boat.')).toBeVisible()
  await expect(chat.message).toHaveValue('half a thought')
  await chat.fromMenu('Organize chats')
  const dialog = page.getByRole('dialog', { name: 'Organize chats' })
  await dialog.getByRole('button', { name: 'Select all 2' }).click()
  await dialog.getByRole('button', { name: 'Move to project' }).click()
  await page.getByRole('menuitem', { name: 'Boat' }).click()
  await expect(dialog.getByText('2 chats moved to Boat.')).toBeVisible()
  await inspect(page, 'project-move')
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await expect(dialog.getByText('moved to')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Select all 2' }).click()
  await dialog.getByRole('button', { name: 'Move to project' }).click()
  await page.getByRole('menuitem', { name: 'Boat' }).click()
  await expect(dialog.getByText('2 chats moved to Boat.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Projects' }).getByRole('link')).toHaveCount(2)
})

test(
  'a project is downloaded with its chats and files, and imported by another visitor',
  { tag: '@nightly' },
  async ({ page, browser }) => {
    const chat = new Chat(page)
    await chat.open()
    await chat.ask('hello')
    await newProject(page, 'Boat')
    await page.getByRole('button', { name: 'Project settings', exact: true }).click()
    const project = page.getByRole('dialog', { name: 'Project Boat' })
    await project.getByRole('textbox', { name: 'Instructions' }).fill('Answer like a sailor.')
    await project.getByLabel('Add files', { exact: true }).setInputFiles({
      name: 'log.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('Day one.'),
    })
    await expect(project.getByRole('list', { name: 'Files' })).toContainText('log.md')
    await expect(project.getByRole('status').filter({ hasText: 'Saved' }).first()).toBeVisible()
    await project.getByRole('button', { name: 'New chat in this project' }).click()
    await chat.send('read /project/log.md')
    await chat.runThrough('read_file')
    await chat.settled()
    await page.getByRole('button', { name: 'Project settings', exact: true }).click()
    const saving = page.waitForEvent('download')
    await project.getByRole('button', { name: 'Download', exact: true }).click()
    const saved = await saving
    expect(saved.suggestedFilename()).toBe('Boat.nod-project.zip')
    const file = await saved.path()

    const context = await browser.newContext()
    const other = await context.newPage()
    const theirChat = new Chat(other)
    await theirChat.open()
    await theirChat.ask('hello')
    await menuOf(other, 'Start a chat with a preset or in a project', 'New project…')
    const naming = other.getByRole('dialog', { name: 'New project' })
    await naming.getByLabel('Import a project…').setInputFiles(file)
    await expect(other.getByText('In project Boat.')).toBeVisible()
    const projects = other.getByRole('region', { name: 'Projects' })
    await expect(projects.getByRole('link')).toHaveCount(1)
    await projects.getByRole('link').click()
    await expect(other.getByRole('log')).toContainText('/project/log.md')
    await menuOf(other, 'More for project Boat', 'Project settings')
    const theirs = other.getByRole('dialog', { name: 'Project Boat' })
    await expect(theirs.getByRole('textbox', { name: 'Instructions' })).toHaveValue('Answer like a sailor.')
    await expect(theirs.getByRole('list', { name: 'Files' })).toContainText('log.md')

    // Everything of it is deleted.
    await theirs.getByRole('button', { name: 'Delete project…' }).click()
    await other.getByRole('button', { name: 'Delete with 1 chat' }).click()
    await expect(other.getByText('Project Boat deleted.').first()).toBeVisible()
    await expect(projects.getByRole('link')).toHaveCount(0)
    const left = await other.evaluate(
      (address) => fetch(address).then((answer) => answer.json()),
      `${appUrl}/api/conversations`,
    )
    expect(left).toMatchObject({ conversations: [{ title: 'hello' }] })
    await context.close()
  },
)

test('a project: created with instructions and a file, chats moved and searched, deleted and undone', async ({
  page,
}) => {
  const chat = new Chat(page)
  await chat.open()
  await chat.ask('list files')
  await expect(page).toHaveURL(/\/c\//)
  await menuOf(page, 'Start a chat with a preset or in a project', 'New project…')
  const naming = page.getByRole('dialog', { name: 'New project' })
  await naming.getByRole('textbox', { name: 'Name' }).fill('Boat')
  await naming.getByRole('button', { name: 'Create project' }).click()
  // A new chat in it is open, and links to its settings.
  await expect(page.getByText('In project Boat.')).toBeVisible()
  await page.getByRole('button', { name: 'Project settings', exact: true }).click()
  const project = page.getByRole('dialog', { name: 'Project Boat' })
  await project.getByRole('textbox', { name: 'Instructions' }).fill('Answer like a sailor.')
  await project.getByLabel('Add files', { exact: true }).setInputFiles({
    name: 'log.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from('Day one.'),
  })
  await expect(project.getByRole('list', { name: 'Files' })).toContainText('log.md')
  await expect(project.getByRole('status').filter({ hasText: 'Saved' }).first()).toBeVisible()
  await inspect(page, 'project')

  // A new chat in it has its instructions in the prompt, and its own copy of the file.
  await project.getByRole('button', { name: 'New chat in this project' }).click()
  await expect(page.getByText('In project Boat.')).toBeVisible()
  await chat.send('read /project/log.md')
  await chat.runThrough('read_file')
  await chat.settled()
  await expect(chat.result('read_file').or(chat.call('read_file')).first()).toContainText('/project/log.md')
  const asked = await page.evaluate(
    (address) => fetch(address).then((answer) => answer.json()),
    `${appUrl}/api/conversations/${conversationIn(page)}`,
  )
  expect(JSON.stringify(asked)).toContain('Day one.')
  await page.getByRole('button', { name: 'Chat settings', exact: true }).click()
  const settings = page.getByRole('dialog', { name: 'Chat settings' })
  await settings.getByRole('tab', { name: 'Prompt' }).click()
  await settings.getByRole('button', { name: /^Instructions of the project/ }).click()
  await expect(settings.getByRole('region', { name: 'Instructions of the project' })).toHaveText(
    'Answer like a sailor.',
  )
  await page.keyboard.press('Escape')

  // Another chat is moved in, by keyboard, and found by its text.
  const projects = page.getByRole('region', { name: 'Projects' })
  await expect(projects.getByRole('link')).toHaveCount(1)
  await page.getByRole('link', { name: 'list files' }).click()
  const more = page.getByRole('button', { name: 'More for list files' })
  await more.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeFocused()
  await page.keyboard.type('mo')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Boat' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('In project Boat.')).toBeVisible()
  await expect(projects.getByRole('link')).toHaveCount(2)
  await inspect(page, 'project-list')
  await menuOf(page, 'More for project Boat', 'Project settings')
  await project.getByRole('searchbox', { name: 'Search chats and messages of this project' }).fill('list')
  await expect(project.getByRole('link', { name: 'list files' }).first()).toBeVisible()
  await project.getByRole('button', { name: 'Close' }).click()
  await expect(project).toHaveCount(0)

  // It is deleted without its chats, and restored with them.
  await menuOf(page, 'More for project Boat', 'Project settings')
  await project.getByRole('button', { name: 'Delete project…' }).click()
  await page.getByRole('button', { name: 'Delete project, keep chats' }).click()
  await expect(page.getByRole('navigation').getByText('Project Boat deleted.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'list files' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(projects.getByRole('link')).toHaveCount(2)
})

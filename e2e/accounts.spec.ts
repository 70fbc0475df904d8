import { expect, test, type Browser, type Page } from '@playwright/test'
import { fromMenu } from './support/chat'
import { basePath, restartPort } from './support/addresses'
import { Chat } from './support/chat'
import { inspect } from './support/inspect'
import { startWithAccounts, type NodWithAccounts } from './fixtures/start-with-accounts'

const address = `http://localhost:${restartPort}${basePath}`
let nod: NodWithAccounts

test.beforeAll(async () => {
  nod = await startWithAccounts('Grace', { NOD_REVIEWERS: 'on' })
})
test.afterAll(() => nod.close())

const password = 'correct horse battery'

async function say(page: Page, text: string): Promise<void> {
  const chat = new Chat(page)
  await chat.open(address)
  await chat.ask(text)
}
const listed = (page: Page, title: string) =>
  page.getByRole('navigation', { name: 'Chats' }).getByRole('link', { name: title })
const anotherBrowser = async (browser: Browser): Promise<Page> => (await browser.newContext()).newPage()

test('an account takes over its browser’s chats on every device, and signs out of all of them', async ({
  page,
  browser,
}) => {
  await say(page, 'a plan for the garden')
  await fromMenu(page, 'Account')
  await page.getByRole('link', { name: 'Create an account' }).click()
  // Both pages have these fields.
  await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible()
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Password').fill('short')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'too short' })).toBeVisible()
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await expect(listed(page, 'a plan for the garden')).toBeVisible()

  const second = await anotherBrowser(browser)
  await say(second, 'written on the way')
  const message = second.getByRole('textbox', { name: 'Message' })
  await message.fill('half a thought')
  await fromMenu(second, 'Account')
  await second.getByLabel('Email').fill('ada@example.com')
  await second.getByLabel('Password').fill(password)
  await second.keyboard.press('Enter')
  await expect(listed(second, 'a plan for the garden')).toBeVisible()
  await expect(listed(second, 'written on the way')).toBeVisible()
  await decideThere(page, second)
  await keepThere(page, second)

  await fromMenu(page, 'Account')
  await expect(page.getByText('· this browser')).toBeVisible()
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page.getByRole('navigation', { name: 'Chats' })).toContainText('Your chats appear here.')
  // The other device hides it the next time it gets the focus.
  await second.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(second.getByRole('alert').filter({ hasText: 'You were signed out' })).toBeVisible()
  await second.goto(address)
  await expect(second.getByRole('navigation', { name: 'Chats' })).toContainText('Your chats appear here.')
  await expect(second.getByText('half a thought')).toHaveCount(0)
})

test('a provider signs a user in, and the page shows who they are @nightly', async ({ page }) => {
  await say(page, 'before the provider')
  await fromMenu(page, 'Account')
  await page.getByRole('button', { name: 'Continue with Corp' }).click()
  await page.locator('input[name=login]').fill('grace')
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
  await page.locator('button[type=submit]').click()
  await expect(listed(page, 'before the provider')).toBeVisible()
  await fromMenu(page, 'Account')
  await expect(page.getByRole('heading', { name: 'Grace' })).toBeVisible()
  await expect(page.getByText('grace@corp.example · administrator', { exact: true })).toBeVisible()

  await page.getByRole('link', { name: 'Administration' }).click()
  await page.getByRole('link', { name: 'Accounts' }).click()
  await page.getByRole('searchbox', { name: 'Find by name or email address' }).fill('grace')
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  await expect(page).toHaveURL(`${address}/admin/accounts?q=grace`)
  await expect(page.getByText('1 account found for “grace”')).toBeVisible()
  await page.getByRole('link', { name: 'Invitations' }).click()
  await page.getByRole('button', { name: 'Create invitation' }).click()
  await expect(page.getByRole('status').getByText(`${address}/sign-up?invitation=`)).toBeVisible()
})

/** A waiting call here is approved on the other device through its link, and runs here, where the files are. */
async function decideThere(here: Page, there: Page): Promise<void> {
  const chat = new Chat(here)
  await chat.ask('write /there.md: decided elsewhere')
  const card = chat.call('write_file')
  await card.getByRole('button', { name: 'More', exact: true }).click()
  await here.getByRole('menuitem', { name: /^Decide on another device/ }).click()
  const field = card.getByRole('textbox', { name: 'Link for another device' })
  await expect(field).toHaveValue(/^http/)
  const link = await field.inputValue()
  await there.goto(link)
  await expect(there.getByRole('region', { name: 'Tool call' })).toContainText('/there.md')
  await expect(there.getByText('cannot be shown here')).toBeVisible()
  await there.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(there.getByRole('status')).toContainText('You approved the call')
  await expect(chat.result('write_file')).toContainText('done')
  await there.goto(link)
  await expect(there.getByRole('status')).toContainText('already approved')
  await there.goto(address)
  await expect(listed(there, 'there.md')).toBeVisible()
}

/** A task on a copy, chosen with its message: its changes are kept on the other device, and come into the files here. */
async function keepThere(here: Page, there: Page): Promise<void> {
  const chat = new Chat(here)
  await here.getByRole('button', { name: 'More for this message', exact: true }).click()
  await here.getByRole('menuitem', { name: 'Work on a copy' }).click()
  await chat.send('write /kept.md: kept elsewhere')
  const card = here.getByRole('region', { name: 'What this would change' })
  await card.getByRole('button', { name: /^Decide on another device/ }).click()
  const field = card.getByRole('textbox', { name: 'Link for another device' })
  await expect(field).toHaveValue(/^http/)
  const link = await field.inputValue()
  await there.goto(link)
  const changes = there.getByRole('region', { name: 'What this would change' })
  await expect(changes).toContainText('1 new')
  await expect(changes).toContainText('/kept.md')
  await inspect(there, 'look-copy')
  await there.getByRole('button', { name: 'Keep all', exact: true }).click()
  await expect(there.getByRole('status')).toContainText('You kept the changes')
  await expect(card).toHaveCount(0)
  await here.getByRole('button', { name: 'Workspace', exact: true }).click()
  const files = here.getByRole('complementary', { name: 'Workspace' })
  await expect(files.getByRole('treeitem', { name: /^kept\.md/ })).toBeVisible()
  await here.getByRole('button', { name: 'Workspace', exact: true }).click()
  await there.goto(link)
  await expect(there.getByRole('status')).toContainText('They are in the files')
  await there.goto(address)
}

async function signUp(page: Page, email: string): Promise<void> {
  await page.goto(`${address}/sign-up`)
  await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(new Chat(page).message).toBeEnabled()
}

/** Makes the link of the waiting call for this account. */
async function linkFor(chat: Chat, email: string): Promise<string> {
  const card = chat.call('write_file').last()
  await card.getByRole('button', { name: 'More', exact: true }).click()
  await chat.page.getByRole('menuitem', { name: /^Decide on another device/ }).click()
  await card.getByRole('textbox', { name: /^Or let another person decide/ }).fill(email)
  await card.getByRole('button', { name: 'Make a link for them' }).click()
  await expect(card.getByText(email, { exact: true })).toBeVisible()
  return card.getByRole('textbox', { name: 'Link for the reviewer' }).inputValue()
}

test('a reviewer decides by a link that nobody else can open, and the owner’s browser runs the call @nightly', async ({
  page,
  browser,
}) => {
  const chat = new Chat(page)
  const [reviewer, third] = [await anotherBrowser(browser), await anotherBrowser(browser)]
  await signUp(page, 'owner@example.com')
  await signUp(reviewer, 'reviewer@example.com')
  await signUp(third, 'third@example.com')
  await chat.ask('write /reviewed.md: seen by two')
  const link = await linkFor(chat, 'reviewer@example.com')

  const none = /^This link does not open for this account/
  for (const other of [third, page]) {
    const tab = await other.context().newPage()
    await tab.goto(link)
    await expect(tab.getByRole('alert').filter({ hasText: none })).toBeVisible()
    await tab.close()
  }

  const asked: string[] = []
  reviewer.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await reviewer.goto(link)
  await expect(reviewer.getByText('You are asked to review a tool call')).toBeVisible()
  await expect(reviewer.getByRole('region', { name: 'Tool call' })).toContainText('/reviewed.md')
  await expect(reviewer.getByText('cannot be shown here')).toBeVisible()
  await expect(reviewer.getByRole('link', { name: 'Open the chat' })).toHaveCount(0)
  await inspect(reviewer, 'look-review')
  await reviewer.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(reviewer.getByRole('status')).toContainText('You approved the call')
  const result = chat.result('write_file')
  await expect(result).toContainText('done')
  await expect(result).toContainText('approved by the reviewer reviewer')
  // Nothing of the chat was asked for, and nothing ran here.
  expect(asked.filter((path) => /\/api\/(?:conversations|runs)\/|sandbox|run\.html/.test(path))).toEqual([])
  await expect(reviewer.locator('iframe')).toHaveCount(0)
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  expect((await reviewer.request.get(`${address}/api/conversations/${id}`)).status()).toBe(404)

  await chat.settled()
  await chat.ask('write /refused.md: not this one')
  const second = await linkFor(chat, 'reviewer@example.com')
  await reviewer.goto(second)
  await reviewer.getByLabel('Reason, if you deny it (optional)').fill('wrong folder, please')
  await reviewer.getByRole('button', { name: 'Deny', exact: true }).click()
  await expect(reviewer.getByRole('status')).toContainText('You denied the call')
  await expect(page.getByText(/^The reviewer reviewer denied this: wrong folder, please/)).toBeVisible()
  await expect(page.getByText('The model got the reviewer’s reason.')).toBeVisible()
  await expect(chat.replies().last()).toContainText('wrong folder, please')
  await chat.settled()

  await chat.ask('write /withdrawn.md: never seen')
  const withdrawn = await linkFor(chat, 'reviewer@example.com')
  await chat.call('write_file').last().getByRole('button', { name: 'Withdraw the link' }).click()
  await expect(chat.call('write_file').last().getByRole('textbox', { name: 'Link for the reviewer' })).toHaveCount(0)
  await reviewer.goto(withdrawn)
  await expect(reviewer.getByRole('alert').filter({ hasText: none })).toBeVisible()
})

test(
  'a reviewer keeps the changes of a copy, which the owner’s browser carries out',
  { tag: '@nightly' },
  async ({ page, browser }) => {
    const chat = new Chat(page)
    const reviewer = await anotherBrowser(browser)
    await signUp(page, 'author@example.com')
    await signUp(reviewer, 'second@example.com')
    await page.getByRole('button', { name: 'More for this message', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Work on a copy' }).click()
    await chat.send('write /kept.md: kept by another')
    const card = page.getByRole('region', { name: 'What this would change' })
    await card.getByRole('button', { name: /^Decide on another device/ }).click()
    await card.getByRole('textbox', { name: /^Or let another person decide/ }).fill('second@example.com')
    await card.getByRole('button', { name: 'Make a link for them' }).click()
    await reviewer.goto(await card.getByRole('textbox', { name: 'Link for the reviewer' }).inputValue())
    await expect(reviewer.getByText('You are asked to review the changes of a copy')).toBeVisible()
    await expect(reviewer.getByRole('region', { name: 'What this would change' })).toContainText('/kept.md')
    await reviewer.getByRole('button', { name: 'Keep all', exact: true }).click()
    await expect(reviewer.getByRole('status')).toContainText('You kept the changes')
    await expect(card).toHaveCount(0)
    await page.getByRole('button', { name: 'Workspace', exact: true }).click()
    const files = page.getByRole('complementary', { name: 'Workspace' })
    await expect(files.getByRole('treeitem', { name: /^kept\.md/ })).toBeVisible()
    await page.getByRole('button', { name: 'Workspace', exact: true }).click()
    await chat.ask('hello')
    await expect(page.getByText(/^The reviewer second kept the change of 1 file of the copy/)).toBeVisible()
  },
)

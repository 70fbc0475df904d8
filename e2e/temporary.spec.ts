import { expect, test, type Page } from '@playwright/test'
import { appUrl, homeUrl } from './support/addresses'
import { Chat } from './support/chat'
import { inspect } from './support/inspect'

/** Everything that the browser stores for this site, as text. */
const storedHere = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const all = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)]
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        if (new URL(request.url).pathname.startsWith('/api/')) all.push(await (await cache.match(request))!.text())
      }
    }
    const rowsOf = (store: IDBObjectStore) =>
      new Promise<unknown[]>((resolve, reject) => {
        const asked = store.getAll()
        asked.onsuccess = () => resolve(asked.result)
        asked.onerror = () => reject(asked.error)
      })
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name!)
        opening.onsuccess = () => resolve(opening.result)
        opening.onerror = () => reject(opening.error)
      })
      for (const store of database.objectStoreNames) {
        all.push(name!, JSON.stringify(await rowsOf(database.transaction(store).objectStore(store))))
      }
      database.close()
    }
    return all.join('\n')
  })

/** Starts a temporary chat and writes a file in it; returns its id. */
async function begin(page: Page): Promise<string> {
  const chat = new Chat(page)
  await page.getByRole('button', { name: 'Temporary chat', exact: true }).click()
  await expect(page.getByRole('note').filter({ hasText: 'Temporary chat.' })).toBeVisible()
  const asked = page.waitForRequest((request) => request.url().endsWith('/api/chat') && request.method() === 'POST')
  await chat.send('write /wombat.md: burrows')
  const { conversationId } = (await asked).postDataJSON() as { conversationId: string }
  await chat.runThrough('write_file')
  await chat.settled()
  return conversationId
}

const statusOf = (page: Page, id: string): Promise<number> =>
  page.evaluate((address) => fetch(address).then(({ status }) => status), `${appUrl}/api/conversations/${id}`)

test('a temporary chat is in no list and no storage, and is gone once it is left or reloaded', async ({ page }) => {
  const chat = new Chat(page)
  await chat.open()
  const id = await begin(page)
  await expect(page).toHaveURL(homeUrl)
  await expect(chat.conversations.getByRole('link', { name: /wombat/ })).toHaveCount(0)
  expect(await statusOf(page, id)).toBe(200)
  await chat.message.fill('a draft of a wombat')
  await inspect(page, 'temporary')
  const stored = await storedHere(page)
  expect(stored).not.toContain('wombat')
  expect(stored).not.toContain(id)

  await page.getByRole('button', { name: 'New chat', exact: true }).click()
  await expect(page.getByRole('note').filter({ hasText: 'Temporary chat.' })).toHaveCount(0)
  await expect(chat.message).toHaveValue('')
  await expect.poll(() => statusOf(page, id)).toBe(404)

  const other = await begin(page)
  await page.reload()
  await expect(chat.message).toHaveValue('')
  await expect.poll(() => statusOf(page, other)).toBe(404)
  expect(await storedHere(page)).not.toContain('wombat')
})

test('a temporary chat can be kept, with its files @nightly', async ({ page }) => {
  const chat = new Chat(page)
  await chat.open()
  const id = await begin(page)
  await page.getByRole('button', { name: 'Keep this chat', exact: true }).click()
  await expect(page).toHaveURL(`${appUrl}/c/${id}`)
  await expect(page.getByRole('note').filter({ hasText: 'Temporary chat.' })).toHaveCount(0)
  await expect(chat.conversations.getByRole('link', { name: /wombat/ })).toBeVisible()
  await chat.send('read /wombat.md')
  await chat.runThrough('read_file')
  await expect(chat.result('read_file')).toContainText('burrows')
})

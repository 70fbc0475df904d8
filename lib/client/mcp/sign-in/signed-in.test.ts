import { IDBFactory } from 'fake-indexeddb'
import { expect, it } from 'vitest'
import { createStoredSignIns } from './signed-in'

it('keeps a sign-in by the address of its server, for every tab, until it is removed', async () => {
  const factory = new IDBFactory()
  const open = (name = 'nod:sign-ins') => createStoredSignIns<{ readonly token: string }>(() => factory, name)
  await open().put('https://a.example/mcp', { token: 'one' })
  await open().put('https://a.example/mcp', { token: 'two' })
  expect(await open().get('https://a.example/mcp')).toEqual({ token: 'two' })
  expect(await open().get('https://b.example/mcp')).toBeNull()
  // Another user of this browser.
  expect(await open('nod:sign-ins:ada').get('https://a.example/mcp')).toBeNull()
  await open().remove('https://a.example/mcp')
  expect(await open().get('https://a.example/mcp')).toBeNull()
})

it('keeps no database open, so that it can be deleted at once', async () => {
  const factory = new IDBFactory()
  await createStoredSignIns(() => factory, 'nod:sign-ins').put('https://a.example/mcp', {})
  const deletion = new Promise<string>((resolve) => {
    const request = factory.deleteDatabase('nod:sign-ins')
    request.onsuccess = () => resolve('deleted')
    request.onblocked = () => resolve('blocked')
  })
  expect(await deletion).toBe('deleted')
})

it('is empty if the browser has no storage', async () => {
  const refuse = () => {
    throw new DOMException('no', 'SecurityError')
  }
  const kept = createStoredSignIns(refuse, 'nod:sign-ins')
  expect(await kept.get('https://a.example/mcp')).toBeNull()
  await kept.remove('https://a.example/mcp')
  await expect(kept.put('https://a.example/mcp', {})).rejects.toThrow('no')
})

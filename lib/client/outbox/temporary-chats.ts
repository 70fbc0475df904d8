/*
 * Temporary chats of this page. Nothing of them is written to the browser's storage: their files and all stored values
 * that name one of them stay in memory. They end with the page.
 */

type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

const open = new Set<string>()

export const isTemporaryChat = (conversationId: string): boolean => open.has(conversationId)

export const registerTemporaryChat = (conversationId: string): void => void open.add(conversationId)

/** Call it when a temporary chat was kept or has ended. */
export const forgetTemporaryChat = (conversationId: string): void => void open.delete(conversationId)

/** Texts of fields are stored under the name of a message, which does not show the chat. */
const fieldPrefix = 'nod:unsent:'

function isPrivate(key: string, value: string): boolean {
  if (open.size === 0) return false
  return key.startsWith(fieldPrefix) || [...open].some((id) => key.includes(id) || value.includes(id))
}

/** The storage, to which nothing of a temporary chat is written. */
export function withoutTemporaryChats(storage: TextStorage): TextStorage {
  const memory = new Map<string, string>()
  return {
    getItem: (key) => memory.get(key) ?? storage.getItem(key),
    setItem(key, value) {
      if (isPrivate(key, value)) {
        memory.set(key, value)
        storage.removeItem(key)
        return
      }
      storage.setItem(key, value)
      memory.delete(key)
    },
    removeItem(key) {
      memory.delete(key)
      storage.removeItem(key)
    },
    key: (index) =>
      index < storage.length ? storage.key(index) : ([...memory.keys()][index - storage.length] ?? null),
    get length() {
      return storage.length + memory.size
    },
  }
}

import { messages as english } from '@/lib/i18n/generated/en.sharing'
import { addMessages } from '@/lib/i18n/messages'
import { exportOfReadable } from '@/lib/shared/conversation/readable/export-of-readable'
import { readForeignChat, type ForeignChat } from './foreign-chat'
import type { BrokenChat, ForeignRequest, ForeignImportReply, FoundChat } from './take-chats'
import { readForeignFile, type CutPiece } from './read-foreign-file'

// Reads the exports of other products beside the page. Bundled into /workers/foreign.js by scripts/build-sandbox.mjs.

// An imported chat is in English, no matter who imports it.
addMessages('en', english)

const say = (reply: ForeignImportReply): void => self.postMessage(reply)
const everyMs = 100

let goOn: (() => void) | null = null

self.onmessage = ({ data }: MessageEvent<ForeignRequest>) => {
  if (data.kind === 'next') return goOn?.()
  const work = data.kind === 'scan' ? scan(data.file) : take(data.file, new Set(data.numbers))
  work.catch(() => say({ kind: 'failed', why: 'unreadable' }))
}

const chatOf = (piece: CutPiece, file: Blob): ForeignChat => {
  const read: ForeignChat = piece.ok ? readForeignChat(piece.text) : { ok: false, title: '', why: piece.why }
  if (!read.ok || read.chat.updatedAt > 0) return read
  // A chat without a date is as old as its file.
  const at = file instanceof File ? file.lastModified : 0
  const messages = read.chat.messages.map((message) => ({ ...message, at: message.at || at }))
  return { ...read, chat: { ...read.chat, createdAt: read.chat.createdAt || at, updatedAt: at, messages } }
}

async function scan(file: Blob): Promise<void> {
  const found: FoundChat[] = []
  const broken: BrokenChat[] = []
  let number = 0
  let reportedAt = 0
  const state = await readForeignFile(file, {
    onPiece(piece) {
      const one = chatOf(piece, file)
      if (one.ok) {
        const { title, updatedAt, messages } = one.chat
        const { id, source, skipped } = one
        found.push({ number, id, source, title, updatedAt, messages: messages.length, skipped })
      } else broken.push({ number, title: one.title, why: one.why })
      number += 1
    },
    onProgress(share) {
      if (performance.now() - reportedAt < everyMs) return
      reportedAt = performance.now()
      say({ kind: 'progress', share, chats: found.length })
    },
  })
  if (state === 'no-chats' || (found.length === 0 && broken.every(({ why }) => why === 'unknown-form'))) {
    return say({ kind: 'failed', why: 'no-chats' })
  }
  say({ kind: 'scanned', found, broken, isWhole: state === 'whole' })
}

async function take(file: Blob, numbers: ReadonlySet<number>): Promise<void> {
  let number = 0
  await readForeignFile(file, {
    async onPiece(piece) {
      const mine = number
      number += 1
      if (!numbers.has(mine)) return
      const one = chatOf(piece, file)
      if (!one.ok) return
      const exported = exportOfReadable(one.chat, one.chat.updatedAt)
      say({ kind: 'chat', number: mine, id: one.id, exported })
      // The page stores it first, so that only one is in transit.
      await new Promise<void>((resolve) => {
        goOn = resolve
      })
    },
    onProgress: () => undefined,
  })
  say({ kind: 'taken' })
}

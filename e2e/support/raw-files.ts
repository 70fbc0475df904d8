import type { Page } from '@playwright/test'
import type { VfsCall, VfsReply } from '@/lib/vfs/zenfs/protocol'

// The worker of a conversation's files as the app ships it, without the app: its own protocol, spoken by a bare page.

export type Ask = (call: VfsCall) => Promise<VfsReply['value']>

declare global {
  // eslint-disable-next-line no-var
  var openFiles: (conversationId: string) => Ask
}

/** Gives the page `openFiles`; calls that it makes go to /workers/vfs.js. */
export async function openRawFiles(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const open = new Map<string, Ask>()
    globalThis.openFiles = (conversationId) => {
      const known = open.get(conversationId)
      if (known) return known
      const worker = new Worker('/workers/vfs.js', { type: 'module' })
      const waiting = new Map<number, (value: VfsReply['value']) => void>()
      let calls = 0
      worker.onmessage = ({ data }: MessageEvent<VfsReply>) => {
        waiting.get(data.id)?.(data.value)
        waiting.delete(data.id)
      }
      const limits = {
        maxFileBytes: 50_000_000,
        maxTotalBytes: 500_000_000,
        maxFiles: 20_000,
        maxHistoryBytes: 200_000_000,
        maxHistorySets: 500,
      }
      worker.postMessage({ type: 'open', conversationId, limits })
      const ask: Ask = (call) =>
        new Promise((resolve) => {
          waiting.set(++calls, resolve)
          worker.postMessage({ type: 'call', id: calls, call })
        })
      open.set(conversationId, ask)
      return ask
    }
  })
  await page.goto('/')
}

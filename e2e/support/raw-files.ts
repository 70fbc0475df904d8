import type { Page } from '@playwright/test'
import { vfsLimits } from '@/lib/vfs/vfs'
import type { VfsCall, VfsReply } from '@/lib/vfs/indexeddb/protocol'
import { appUrl, basePath } from './addresses'

// The app's worker for a conversation's files without the app: a bare page uses its protocol.

export type Ask = (call: VfsCall) => Promise<VfsReply['value']>

declare global {
  interface Window {
    openFiles: (conversationId: string) => Ask
  }
}

/** Adds `openFiles` to the page; its calls go to /workers/vfs.js. */
export async function openRawFiles(page: Page): Promise<void> {
  await page.addInitScript(
    ({ limits, address }) => {
      const open = new Map<string, Ask>()
      window.openFiles = (conversationId) => {
        const known = open.get(conversationId)
        if (known) return known
        const worker = new Worker(address, { type: 'module' })
        const waiting = new Map<number, (value: VfsReply['value']) => void>()
        let calls = 0
        worker.onmessage = ({ data }: MessageEvent<VfsReply>) => {
          waiting.get(data.id)?.(data.value)
          waiting.delete(data.id)
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
    },
    { limits: vfsLimits, address: `${basePath}/workers/vfs.js` },
  )
  await page.goto(appUrl)
}

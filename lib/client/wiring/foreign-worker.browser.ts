import { builtFile } from '@/lib/base/base-path'
import type { ForeignWorkerPort } from '@/lib/client/export/other-chats/take-chats'

/** Reads exports of other products beside the page. */
export const startForeignWorker = (): ForeignWorkerPort =>
  new Worker(builtFile('/workers/foreign.js'), { type: 'module' }) as ForeignWorkerPort

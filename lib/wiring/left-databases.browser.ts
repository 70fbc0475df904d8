import { finishLeft, type LeftPorts } from '@/lib/client/left-databases'

export const databasePorts = (): LeftPorts => ({
  indexedDB: window.indexedDB,
  storage: window.localStorage,
  schedule(task, ms) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
})

/** What another tab held up the last time is done now. */
export const finishLeftDatabases = (): Promise<void> => finishLeft(databasePorts())

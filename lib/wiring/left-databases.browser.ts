import { finishLeft, portsOfPage } from '@/lib/client/left-databases'

/** What another tab held up the last time is done now. */
export const finishLeftDatabases = (): Promise<void> => finishLeft(portsOfPage())

import { deleteStaleDatabases, portsOfPage } from '@/lib/client/browser/stale-databases'

/** What another tab held up the last time is done now. */
export const finishLeftDatabases = (): Promise<void> => deleteStaleDatabases(portsOfPage())

import { deleteStaleDatabases, portsOfPage } from '@/lib/client/browser/stale-databases'

/** Completes deletions that another tab blocked earlier. */
export const finishLeftDatabases = (): Promise<void> => deleteStaleDatabases(portsOfPage())

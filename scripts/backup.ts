import { backupMain } from '@/lib/wiring/backup.server'

/*
 * npm run backup [-- FILE]          everything the server stores, into one file; the server may keep running
 * npm run backup -- restore FILE    into an empty folder or database
 * npm run backup -- check FILE      reads the file and says whether it is complete
 */

const [first, ...rest] = process.argv.slice(2)
const [command, args] =
  first === 'backup' || first === 'restore' || first === 'check'
    ? [first, rest]
    : ['backup', first === undefined ? [] : [first, ...rest]]
process.exitCode = await backupMain(command, args, process.env)

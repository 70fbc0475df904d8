import { backupMain } from '@/lib/wiring/backup.server'

/*
 * npm run backup [-- FILE]          all that the server keeps, into one file; the server may go on meanwhile
 * npm run restore -- FILE           into an empty folder or database
 * npm run restore -- --check FILE   only reads the file, and says whether it is whole
 */

const [command, ...args] = process.argv.slice(2)
const checks = args[0] === '--check'
process.exitCode =
  command === 'backup'
    ? await backupMain('backup', args, process.env)
    : await backupMain(checks ? 'check' : 'restore', checks ? args.slice(1) : args, process.env)

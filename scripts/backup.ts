import { backupMain } from '@/lib/wiring/backup.server'

/*
 * npm run backup [-- FILE]      all that the server keeps, into one file; the server may go on meanwhile
 * npm run restore -- FILE       into an empty folder or database
 * npm run backup:check -- FILE  only reads the file, and says whether it is whole
 */

const [command, ...args] = process.argv.slice(2)
process.exitCode = await backupMain(command, args, process.env)

import { errorsOf, type Catalogue } from '@/lib/base/catalogue'

/** What whoever keeps the server is told of backups. */
export const backupWords = {
  'backup.no-database':
    'There is no database to back up in {where}. Set NOD_DATA_DIR or DATABASE_URL to the one that is meant.',
  'backup.exists': '{file} is there already and was left as it is. Name another file.',
  'backup.usage':
    'Say one of: backup [FILE], restore FILE, check FILE. With “-” as FILE, backup writes to standard output.',
  'backup.no-name': 'Name the backup: npm run backup -- restore nod-2026-11-22-0905.jsonl.gz',
  'backup.no-file': '{file} cannot be read. Check its name.',
  'backup.no-backup': 'This is no backup of Nod. Nothing was restored.',
  'backup.cut': 'The backup is cut off: its end is missing. Nothing was restored. Use another one.',
  'backup.damaged':
    'The backup is damaged: it does not hold what was written into it. Nothing was restored. Use another one.',
  'backup.newer':
    'The backup was written by a newer version of Nod (it knows the step {step}). Nothing was restored. Update Nod first.',
  'backup.older':
    'The backup was written by an early version of Nod (step {step}). Nothing was restored. Restore it with Nod from commit {commit}, start that version once, and write a new backup.',
  'backup.not-empty':
    'The database is not empty (there are rows in {table}), and nothing was restored: a backup takes the place of nothing. Restore into a new folder or database, and start the server on it.',
  'backup.done': 'Backed up: {rows} rows of {tables, plural, one {one table} other {# tables}} in {file} ({bytes}).',
  'backup.restored':
    'Restored: {rows} rows of {tables, plural, one {one table} other {# tables}}, as they were at {at}.',
  'backup.whole':
    'The backup is whole: {rows} rows of {tables, plural, one {one table} other {# tables}}, as they were at {at}.',
  'backup.secret-in':
    'The secret that signs cookies is in it: who has the file can come in as anybody. Keep it as safe as the data.',
  'backup.secret-out':
    'NOD_SECRET is not in it. Keep it too: with another one every browser without an account loses its chats.',
  'backup.secret-other':
    'The secret that signed the cookies of then is not the one of this server, and without it every browser without an account loses its chats. It is the “secret” in the first line of the backup (gunzip -c {file} | head -n 1): set it as NOD_SECRET, or beside a new one in NOD_SECRET_PREVIOUS.',
  'backup.secret-kept': 'The secret that signs cookies was put back into {file}, so that browsers find their chats.',
} as const satisfies Catalogue

export const backupError = errorsOf(backupWords)

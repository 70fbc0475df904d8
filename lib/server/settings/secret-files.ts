import { t } from '@/lib/i18n/t'

type Env = Readonly<Record<string, string | undefined>>

interface FilesRead {
  /** The environment with what stood in the files. */
  readonly env: Env
  /** A sentence each. */
  readonly mistakes: readonly string[]
}

/**
 * Secrets by file, as container platforms mount them: `X_FILE=/run/secrets/x` is X with the file's text, without the
 * newline at its end. `readFile` throws as Node's does.
 */
export function readSecretFiles(env: Env, names: readonly string[], readFile: (file: string) => string): FilesRead {
  const found: Record<string, string> = {}
  const mistakes: string[] = []
  for (const name of names) {
    const file = env[`${name}_FILE`]?.trim() ?? ''
    if (file === '') continue
    if (env[name] !== undefined && env[name] !== '') {
      mistakes.push(t('variable.file-and-value', { name }))
      continue
    }
    try {
      const text = readFile(file).replace(/\r?\n$/, '')
      if (text.trim() === '') mistakes.push(t('variable.file-empty', { name, file }))
      else found[name] = text
    } catch (error) {
      mistakes.push(t('variable.file-unreadable', { name, file, problem: codeOf(error) }))
    }
  }
  return { env: { ...env, ...found }, mistakes }
}

/** ENOENT, EACCES, EISDIR: never the message, which could quote. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unreadable'

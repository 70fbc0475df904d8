import { withoutEndpoint } from '@/lib/shared/models/endpoint-path'

/** The environment as a record; missing and empty variables are the same. */
export type Env = Readonly<Record<string, string | undefined>>

/** null for a variable that is missing, empty or blank. */
export const envValue = (env: Env, name: string): string | null => {
  const value = env[name]?.trim()
  return value === undefined || value === '' ? null : value
}

/**
 * An address as `http(s)://host[:port][/path]` without a slash at the end, or null. `path` is put behind a bare host; an
 * endpoint at its end (`/chat/completions`) is cut off. Names and passwords in the address are refused, since addresses are shown.
 */
export function baseUrlOf(text: string, path: string): string | null {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return null
  }
  if ((url.protocol !== 'http:' && url.protocol !== 'https:') || url.username !== '' || url.password !== '') return null
  const { path: kept, isCut } = withoutEndpoint(url.pathname)
  return `${url.origin}${kept === '' && !isCut ? path : kept}`
}

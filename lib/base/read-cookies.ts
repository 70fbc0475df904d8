/** All values under that name, in the order the browser sends them: a name may occur more than once. */
export function readCookies(header: string | null, name: string): readonly string[] {
  const values: string[] = []
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) values.push(pair.slice(at + 1).trim())
  }
  return values
}

import path from 'node:path'
import { lookup } from 'mrmime'

const forGood = 'public, max-age=31536000, immutable'
const askEachTime = 'public, max-age=0'

/** As Next names them; `mrmime` knows the rest. */
const script = 'application/javascript; charset=UTF-8'
const types = { '.js': script, '.mjs': script, '.html': 'text/html; charset=UTF-8' }

/**
 * The headers of a served file: Next's own two, then those of `next.config.ts` for its path. The rules are read from
 * the build, in the form in which Next would apply them itself.
 * @param {string} urlPath
 * @param {{ rules: readonly { regex: string, headers: readonly { key: string, value: string }[] }[], basePath: string }} build
 * @returns {[name: string, value: string][]}
 */
export function headersOfAsset(urlPath, { rules, basePath }) {
  const extension = path.posix.extname(urlPath)
  const type = types[extension] ?? typeOf(extension)
  const said = new Map([
    ['Content-Type', type],
    ['Cache-Control', urlPath.startsWith(`${basePath}/_next/static/`) ? forGood : askEachTime],
  ])
  for (const { regex, headers } of rules) {
    if (!new RegExp(regex).test(urlPath)) continue
    for (const { key, value } of headers) said.set(key, value)
  }
  return [...said]
}

function typeOf(extension) {
  const type = lookup(extension) ?? 'application/octet-stream'
  return type.startsWith('text/') || type === 'application/json' ? `${type}; charset=UTF-8` : type
}

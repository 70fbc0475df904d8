// Finds where the sources name messages: as text ('card.run') or as a template (`lab.verdict.${verdict}`).
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

const isSource = (name) => /\.tsx?$/.test(name) && !/\.(?:test|contract|spec)\.tsx?$/.test(name)

async function* sourcesUnder(folder) {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name)
    if (entry.isDirectory() && entry.name !== 'testing' && entry.name !== 'generated') yield* sourcesUnder(full)
    else if (entry.isFile() && isSource(entry.name)) yield full
  }
}

/** The text of each source file of the app by its path. @param {string} root @returns {Promise<Map<string, string>>} */
export async function readSources(root) {
  const files = []
  for (const folder of ['lib', 'components', 'app'])
    for await (const file of sourcesUnder(path.join(root, folder))) files.push(file)
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')])))
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * The keys that a source names. A template names every key that it can produce.
 * @param {string} text @param {ReadonlySet<string>} keys @param {(area: string) => readonly string[]} keysOfArea
 */
export function keysIn(text, keys, keysOfArea) {
  const found = new Set()
  for (const [, key] of text.matchAll(/'([a-z][\w-]*\.[^'\n]+)'/g)) if (keys.has(key)) found.add(key)
  for (const [, template] of text.matchAll(/`([a-z][\w-]*\.(?:[^`$\n]|\$\{[^}`]*\})*)`/g)) {
    const pattern = new RegExp(
      `^${template
        .split(/\$\{[^}]*\}/)
        .map(escaped)
        .join('.+')}$`,
    )
    for (const key of keysOfArea(template.slice(0, template.indexOf('.')))) if (pattern.test(key)) found.add(key)
  }
  return found
}

/** Imports that load with a module: neither types nor `import()`. */
const imports = /^(?:import|export)\s(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm
/** These, and what loads on need. */
const allImports = new RegExp(`${imports.source}|\\bimport\\('([^']+)'\\)`, 'gm')

/** @param {string} root @param {Map<string, string>} sources */
function resolver(root, sources) {
  return (from, name) => {
    const base = name.startsWith('@/')
      ? path.join(root, name.slice(2))
      : name.startsWith('.')
        ? path.resolve(path.dirname(from), name)
        : null
    if (base === null) return null
    const tried = [base, `${base}.ts`, `${base}.tsx`, path.join(base, 'index.ts'), path.join(base, 'index.tsx')]
    return tried.find((file) => sources.has(file)) ?? null
  }
}

/**
 * The modules that a browser loads with these pages: each 'use client' module that a server page imports, with all its
 * imports.
 * @param {string} root @param {Map<string, string>} sources @param {readonly string[]} pages
 * @returns {ReadonlySet<string>}
 */
export function modulesOfPages(root, sources, pages) {
  const resolve = resolver(root, sources)
  const onServer = new Set()
  const inBrowser = new Set()
  const visit = (file, isClient) => {
    const text = sources.get(file)
    const inside = isClient || /^(?:\/\/.*\n|\s)*'use client'/.test(text)
    const seen = inside ? inBrowser : onServer
    if (seen.has(file)) return
    seen.add(file)
    for (const [, name] of text.matchAll(imports)) {
      const next = resolve(file, name)
      if (next !== null) visit(next, inside)
    }
  }
  for (const page of pages) visit(path.join(root, page), false)
  return inBrowser
}

/**
 * The modules that only these files reach, themselves included: no other source names them, not even by `import()`.
 * @param {string} root @param {Map<string, string>} sources @param {readonly string[]} files
 * @returns {ReadonlySet<string>}
 */
export function modulesOnlyOf(root, sources, files) {
  const resolve = resolver(root, sources)
  const reached = (from) => {
    const seen = new Set(from)
    for (const file of seen) {
      for (const [, name, onNeed] of sources.get(file).matchAll(allImports)) {
        const next = resolve(file, name ?? onNeed)
        if (next !== null) seen.add(next)
      }
    }
    return seen
  }
  const mine = reached(files)
  const others = reached([...sources.keys()].filter((file) => !mine.has(file)))
  return new Set([...mine].filter((file) => !others.has(file)))
}

/**
 * Lines at which a module creates a text while it loads: `const words = t(…)` outside any function.
 * @param {string} text
 */
export function textsAtLoad(text) {
  return text
    .split('\n')
    .flatMap((line, at) => (/^(?:export )?const \w+[^=]*= (?:t|tIn|textOfKey)\(/.test(line) ? [at + 1] : []))
}

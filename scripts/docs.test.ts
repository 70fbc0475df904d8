import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { globSync } from 'tinyglobby'
import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const pages = globSync(['*.md', 'docs/**/*.md', 'corpus/*.md'], { cwd: root }).toSorted()
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: object }

/** Without code blocks. */
const proseOf = (page: string): string => read(page).replaceAll(/^( *)```[^]*?^\1```$/gm, '')

/** Like GitHub's anchor of a heading. */
const anchorsOf = (page: string): readonly string[] =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  )

/** Reference pages, generated ones, and pages that are mostly code or one table, can be longer. */
const canBeLong = /^(?:ARCHITECTURE\.md|CHANGELOG\.md|docs\/(?:generated|reference)\/|docs\/internals\/security\.md)/

describe.each(pages)('%s', (page) => {
  it('links to files and headings that exist', () => {
    const dead = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)]
      .map(([, link, source]) => link ?? source ?? '')
      .filter((target) => !/^(?:https?|mailto):/.test(target))
      .filter((target) => {
        const [file = '', anchor] = target.split('#')
        const to = file === '' ? page : path.join(path.dirname(page), file)
        if (!existsSync(path.join(root, to))) return true
        return anchor !== undefined && !anchorsOf(to).includes(anchor)
      })
    expect(dead).toEqual([])
  })

  it('names npm scripts that exist', () => {
    const named = [...read(page).matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  })

  it('names source files that exist', () => {
    if (page.startsWith('docs/generated/')) return
    const named = [...proseOf(page).matchAll(/`((?:app|components|lib|scripts|e2e|deploy|corpus)\/[\w./-]+\.\w+)`/g)]
    expect(named.map(([, file = '']) => file).filter((file) => !existsSync(path.join(root, file)))).toEqual([])
  })

  it('is short enough to read', () => {
    if (canBeLong.test(page)) return
    expect(proseOf(page).split(/\s+/).length).toBeLessThan(1_200)
  })
})

it('comments name source files that exist', () => {
  const sources = globSync(['{app,bench,components,e2e,lib,scripts}/**/*.{ts,tsx,mjs}', '*.ts'], { cwd: root })
  const known = (name: string) => sources.some((file) => file === name || file.endsWith(`/${name}`))
  const gone = sources.flatMap((file) =>
    [...read(file).matchAll(/\/\*[^]*?\*\/|(?<![:'"])\/\/.*/g)].flatMap(([comment]) =>
      [...comment.matchAll(/`(?:\.\.?\/)*((?:[\w-]+\/)*[\w-]{3,}(?:\.[\w-]+)*\.(?:tsx?|mjs))`/g)]
        .map(([, name = '']) => name)
        .filter((name) => !known(name))
        .map((name) => `${file}: ${name}`),
    ),
  )
  expect(gone).toEqual([])
})

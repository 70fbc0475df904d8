'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { ForeignCode } from '@/components/ui/code/foreign-code'
import { useMemo } from 'react'
import { JsonTree } from '@/components/ui/code/json-tree'
import { codeBox } from '@/components/ui/recipes/recipe'
import { t } from '@/lib/i18n/t'
import { jsonErrorAt } from '@/lib/base/text/json-error-at'
import type { JsonValue } from '@/lib/base/json'

/** JSON as a tree, or the position of its syntax error. */
export default function JsonView({ path, text }: { path: string; text: string }) {
  const read = useMemo(() => readJson(text), [text])
  if (read.ok) {
    return (
      <div className="flex min-h-0 flex-1 *:flex-1 *:overflow-auto">
        <JsonTree label={labelOf(t('files-viewer.json', { path: asUntrusted(path) }))} value={read.value} />
      </div>
    )
  }
  const { line, column, source } = read
  return (
    <div className="p-3 text-sm text-pretty">
      <p role="alert">{t('files-viewer.no-json', { line, column })}</p>
      <pre className={codeBox({ pad: 'all' }, 'mt-2 whitespace-pre-wrap wrap-anywhere')}>
        <span className="text-code-muted">{line} </span>
        <ForeignCode text={source.before} />
        <span className="rounded-[2px] bg-danger-soft px-[0.25em] font-sans text-xs whitespace-nowrap text-danger ring ring-danger">
          {t('files-viewer.here')}
        </span>
        <ForeignCode text={source.after} />
      </pre>
    </div>
  )
}

type Read =
  | { readonly ok: true; readonly value: JsonValue }
  | {
      readonly ok: false
      readonly line: number
      readonly column: number
      readonly source: { readonly before: string; readonly after: string }
    }

function readJson(text: string): Read {
  try {
    return { ok: true, value: JSON.parse(text) as JsonValue }
  } catch {
    const at = jsonErrorAt(text) ?? text.length
    const start = text.lastIndexOf('\n', at - 1) + 1
    const end = text.indexOf('\n', at)
    return {
      ok: false,
      line: text.slice(0, at).split('\n').length,
      column: at - start + 1,
      source: {
        before: text.slice(Math.max(start, at - 60), at),
        after: text.slice(at, Math.min(end < 0 ? text.length : end, at + 60)),
      },
    }
  }
}

'use client'

import { useId, useState, type FormEvent } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { requestOpenFile } from '@/components/context/show-in-page'
import { useToolRuntime } from '@/components/context/tool-runtime-context'
import type { CodeCacheProps } from '@/components/markdown/code/code-cache'
import { button } from '@/components/ui/recipes/button'
import { field } from '@/components/ui/recipes/field'
import { TextButton } from '@/components/ui/controls/button'
import { t } from '@/lib/i18n/t'
import { Wait } from '@/components/ui/page/wait'
import { errorText } from '@/lib/base/app-error'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { normalizePath } from '@/lib/vfs/path'
import type { Vfs } from '@/lib/vfs/vfs'

type Saving =
  | { readonly phase: 'asks' }
  /** The file exists; a second press replaces it. */
  | { readonly phase: 'replaces'; readonly path: string }
  | { readonly phase: 'saves' }
  | { readonly phase: 'saved'; readonly path: string }
  | { readonly phase: 'failed'; readonly words: string }

/** Focuses the field, because the user asked for it with a click. */
const focusNow = (input: HTMLInputElement | null) => input?.focus()

const shown = (path: string) => visibleText(path, 'name')

/** Asks where in the workspace to save a code block; an existing file is replaced only after a confirmation. */
export default function SaveCode({ name, text, onClose }: CodeCacheProps) {
  const id = useId()
  const runtimeOf = useToolRuntime()
  const conversationId = useConversation((view) => view.conversation?.id ?? null)
  const messageId = useConversation((view) => view.conversation?.headId ?? null)
  const [path, setPath] = useState(name)
  const [saving, setSaving] = useState<Saving>({ phase: 'asks' })
  if (conversationId === null) return null

  const save = async (): Promise<Saving> => {
    const to = normalizePath(path.trim())
    if (!to.ok) return { phase: 'failed', words: to.error.message }
    if (to.value === '/') return { phase: 'failed', words: t('reading.save.no-path') }
    const { vfs } = await runtimeOf(conversationId)
    const replaces = saving.phase === 'replaces' && saving.path === to.value
    if (!replaces && (await vfs.stat(to.value)).ok) return { phase: 'replaces', path: to.value }
    return write(vfs.recording({ kind: 'user', action: 'saved', messageId }), to.value, text)
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setSaving({ phase: 'saves' })
    save().then(setSaving, (error: unknown) => setSaving({ phase: 'failed', words: errorText(error) }))
  }

  if (saving.phase === 'saved') {
    return (
      <p className="flex flex-wrap gap-x-3 border-b border-line bg-raised px-3.5 py-2 text-sm" role="status">
        {t('reading.save.done', { path: shown(saving.path) })}
        <TextButton onClick={() => requestOpenFile({ conversationId, path: saving.path })}>
          {t('reading.save.open')}
        </TextButton>
      </p>
    )
  }
  return (
    <form className="grid gap-1.5 border-b border-line bg-raised px-3.5 py-2 text-sm" onSubmit={onSubmit}>
      <label htmlFor={id}>{t('reading.save.path')}</label>
      <div className="flex flex-wrap items-center gap-2">
        <input
          id={id}
          className={field({}, 'w-auto min-w-40 flex-1 font-mono')}
          dir="ltr"
          value={path}
          ref={focusNow}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            setPath(event.target.value)
            setSaving({ phase: 'asks' })
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            onClose()
          }}
        />
        <button type="submit" className={button({})} disabled={saving.phase === 'saves'}>
          {t('reading.save.do')}
        </button>
        <TextButton onClick={onClose}>{t('reading.save.cancel')}</TextButton>
      </div>
      {saving.phase === 'saves' ? <Wait what={t('wait.save-file')} /> : null}
      {saving.phase === 'replaces' ? (
        <p role="alert">{t('reading.save.replaces', { path: shown(saving.path) })}</p>
      ) : null}
      {saving.phase === 'failed' ? <p role="alert">{t('reading.save.failed', { why: saving.words })}</p> : null}
    </form>
  )
}

async function write(files: Vfs, path: string, text: string): Promise<Saving> {
  const written = await files.write(path, new TextEncoder().encode(text.endsWith('\n') ? text : `${text}\n`))
  return written.ok ? { phase: 'saved', path } : { phase: 'failed', words: written.error.message }
}

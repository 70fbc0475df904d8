'use client'

import { CopyButton } from '@/components/ui/copy-button'
import { SaidText } from '@/components/ui/foreign-text'
import { Icon } from '@/components/ui/icon'
import { notice } from '@/components/ui/recipes/note'
import type { Advice } from '@/lib/browser-models/doctor/advice'

/** What a test found, and what to paste where. */
export function AdviceBox({ advice: { ok, message, fixes } }: { advice: Advice }) {
  return (
    <div className={notice({ tone: ok ? undefined : 'warn' })} role={ok ? 'status' : 'alert'}>
      <Icon name={ok ? 'ok' : 'warn'} />
      <div className="grid min-w-0 flex-1 gap-2">
        <p className="m-0 text-pretty wrap-anywhere">
          <SaidText text={message} />
        </p>
        {fixes.map(({ how, paste }) => (
          <div className="grid gap-1" key={paste}>
            <span className="text-sm text-muted">{how}</span>
            <span className="flex items-start gap-2 rounded-md border border-line bg-sunken px-2.5 py-1.5">
              <code className="min-w-0 flex-1 font-mono text-mono wrap-anywhere">{paste}</code>
              <CopyButton text={() => paste} />
            </span>
          </div>
        ))}
      </div>
    </div>
  )
}

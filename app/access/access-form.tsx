'use client'

import { withBase } from '@/lib/base/base-path'
import { Button } from '@/components/ui/controls/button'
import { useLanguage } from '@/components/ui/page/use-language'
import { t } from '@/lib/i18n/t'

export function AccessForm({ next, refused }: { next: string; refused: 'wrong' | 'wait' | null }) {
  useLanguage()
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <form
        method="post"
        action={withBase('/api/access')}
        className="grid w-full max-w-96 gap-4 rounded-lg border border-line bg-raised p-6"
      >
        <h1 className="text-lg font-strong">{t('page.access-head')}</h1>
        <p className="text-muted" id="access-why">
          {t('page.access-why')}
        </p>
        <input type="hidden" name="next" value={next} />
        <label className="grid gap-1.5">
          {t('page.access-token')}
          <input
            className="w-full rounded-md border border-control bg-surface px-3 py-2"
            type="password"
            name="token"
            autoComplete="current-password"
            required
            maxLength={500}
            aria-describedby={refused ? 'access-refused' : 'access-why'}
            aria-invalid={refused !== null}
          />
        </label>
        {refused && (
          <p role="alert" id="access-refused" className="text-danger">
            {t(`page.access-${refused}`)}
          </p>
        )}
        <Button type="submit" look="ink">
          {t('page.access-do')}
        </Button>
      </form>
    </main>
  )
}

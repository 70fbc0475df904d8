import { t } from '@/lib/i18n/t'

/*
 * What our own mistakes look like. It stands in every page's first load and must need nothing else to come: so its few looks
 * are written here, and no recipe is loaded for them.
 */

const look = 'h-control rounded-md border border-line-strong bg-raised px-3 font-medium hover:bg-hover'

/** A page that broke. Messages live on the server, so a reload loses nothing. */
export function PageFailed({ onAgain }: { onAgain: () => void }) {
  return (
    <main
      className="mx-auto flex min-h-dvh w-full max-w-[calc(var(--container-column)+3rem)] flex-col justify-center px-6 pb-12 narrow:justify-end narrow:px-3.5"
      role="alert"
    >
      <h1 className="text-xl font-strong tracking-tight">{t('ui.page-failed')}</h1>
      <p className="mt-2 max-w-[38rem] text-lg text-pretty text-muted">{t('ui.page-kept')}</p>
      <p className="mt-5 flex flex-wrap gap-2">
        <button type="button" className={look} onClick={onAgain}>
          {t('ui.again')}
        </button>
        <button type="button" className={look} onClick={() => window.location.reload()}>
          {t('ui.reload')}
        </button>
      </p>
    </main>
  )
}

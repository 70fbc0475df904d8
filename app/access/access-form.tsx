import { withBase } from '@/lib/base/base-path'
import { Button } from '@/components/ui/button'

const words = {
  wrong: 'This is not the token of this server. Look for a missing letter, or ask whoever runs it.',
  wait: 'Too many wrong tokens were tried. Wait a minute, then try again.',
} as const

export function AccessForm({ next, refused }: { next: string; refused: keyof typeof words | null }) {
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <form
        method="post"
        action={withBase('/api/access')}
        className="grid w-full max-w-96 gap-4 rounded-lg border border-line bg-raised p-6"
      >
        <h1 className="text-lg font-strong">This server is not open to everybody</h1>
        <p className="text-muted" id="access-why">
          Ask whoever runs it for the access token. It is wanted once in this browser.
        </p>
        <input type="hidden" name="next" value={next} />
        <label className="grid gap-1.5">
          Access token
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
            {words[refused]}
          </p>
        )}
        <Button type="submit" look="ink">
          Go in
        </Button>
      </form>
    </main>
  )
}

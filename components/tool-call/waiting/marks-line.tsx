import { ForeignName, ForeignText, SentenceText } from '@/components/ui/foreign-text'
import { markedPlaces, marksSentence, type CallToJudge } from '@/lib/shared/calls/foreign-marks'
import { t } from '@/lib/i18n/t'
import { cardSay } from '../styles/card'

/** Parts of a call that are named; a call may hold a thousand. */
const SAID_PLACES = 5

/** What of a call does not show what it is, and where: the card may show that part nowhere else. `say`: what follows from it. */
export function MarksLine({ call, say }: { call: CallToJudge; say: (marks: string) => string }) {
  const marks = marksSentence(call)
  if (marks === '') return null
  const places = markedPlaces(call)
  return (
    <div data-part="say" className={cardSay({ tone: 'amber' })} role="note">
      <p>
        <SentenceText text={say(marks)} />
      </p>
      <ul>
        {places.slice(0, SAID_PLACES).map(({ at, around, reading }) => (
          <li key={at} className="truncate">
            {at === '' ? null : (
              <>
                <ForeignName text={at} />
                {': '}
              </>
            )}
            <ForeignText text={around} reading={reading} />
          </li>
        ))}
      </ul>
      {places.length > SAID_PLACES ? (
        <p>{t('card-waiting.more-marked', { count: places.length - SAID_PLACES })}</p>
      ) : null}
    </div>
  )
}

import { useId } from 'react'

/** There is one way so far; it is said rather than offered. */
export function ApprovalSection() {
  const heading = useId()
  return (
    <section className="group" aria-labelledby={heading}>
      <h3 id={heading}>Approval</h3>
      <p>Nothing runs on the server. Calls that you allow run in this tab.</p>
      <div className="opts-list">
        <div className="toolrow">
          <div>
            Asks before every call<small>You press Run for each one, or Run all for a batch.</small>
          </div>
        </div>
      </div>
    </section>
  )
}

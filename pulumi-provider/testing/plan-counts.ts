import { isRecord } from 'audience-core/internal';

/** What a plan counts, as it words it. */
const COUNTED: Readonly<Record<string, RegExp>> = {
  events: /(\d+) gets? the event/g,
  joins: /(\d+) joins? group/g,
  leaves: /(\d+) leaves? group/g,
  unsubscribed: /(\d+) (?:is|are) unsubscribed/g,
  loses: /(\d+) loses? /g,
  refused: /(\d+) rows? cannot be written/g,
};

/** Numbers by what they count. */
type Counts = Readonly<Record<string, number>>;

/** What a plan says that `up` will do. */
export function planned(plan: string): Counts {
  const count = (pattern: RegExp): number =>
    Array.from(plan.matchAll(pattern), ([, number]) => Number(number)).reduce((sum, one) => sum + one, 0);
  return Object.fromEntries(Object.entries(COUNTED).map(([kind, pattern]) => [kind, count(pattern)]));
}

/** What `up` did to the contacts of one list: by its requests that succeeded, and what it printed. */
export function done(bodies: readonly unknown[], log: string): Counts {
  const all = bodies.map((body) => (isRecord(body) ? body : {}));
  const inNews = (isIn: boolean): number =>
    all.filter(({ subscriptionGroups: groups }) => isRecord(groups) && groups['news'] === isIn).length;
  const [, written = 0, of = 0] = /(\d+) of (\d+) contacts? (?:is|are) done/.exec(log) ?? [];
  return {
    events: all.filter((body) => 'eventName' in body).length,
    joins: inNews(true),
    leaves: inNews(false),
    unsubscribed: all.filter(({ subscribed }) => subscribed === false).length,
    loses: all.filter(({ firstName }) => firstName === null).length,
    refused: Number(of) - Number(written),
  };
}

import { Skeleton, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { Guest, GuestChanges } from 'simcha-client';
import { joinTexts } from '../../../lib/dates.ts';
import { formatPhone } from '../../../lib/format-phone.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import type { Say } from '../../../lib/words.ts';
import { words } from '../words.ts';
import { AnswerMenu } from './answer-menu.tsx';
import classes from './list.module.css';
import { PartyField } from './party-field.tsx';
import type { QuickChange } from './quick-change.ts';
import { RowCheckbox } from './row-checkbox.tsx';

interface RowProps {
  guest: Guest;
  isChosen: boolean;
  onChoose(id: string, isChosen: boolean): void;
  /** Function that changes one field of a guest at once in the list; undefined if the user may not edit. */
  change: QuickChange | undefined;
}

const changing = (guest: Guest, change: QuickChange | undefined) =>
  change && ((body: GuestChanges, shown: Partial<Guest>) => change(guest, body, shown));

/** Guest as a row of the table, on wide screens. */
export const DeskRow = memo(function DeskRow({ guest, isChosen, onChoose, change }: RowProps) {
  const say = useWords(words);
  const onChange = changing(guest, change);
  const { coming, party_size: party, phone } = guest;
  return (
    <>
      <td>{change && <Choose guest={guest} isChosen={isChosen} onChoose={onChoose} />}</td>
      <td className={classes.cut}>
        <Name guest={guest} />
      </td>
      <td>
        <PartyField guest={guest} onChange={onChange}>
          {party}
        </PartyField>
      </td>
      <td className={classes.cut}>
        <AnswerMenu guest={guest} onChange={onChange} />
      </td>
      <td>{coming > 0 ? coming : <VisuallyHidden>{0}</VisuallyHidden>}</td>
      <td className={classes.cut}>{phone && <bdi dir="ltr">{formatPhone(phone)}</bdi>}</td>
      <td className={classes.cut}>
        <Tags tags={guest.tags} say={say('moreTags', { n: guest.tags.length - 2 })} most={2} />
      </td>
    </>
  );
});

/** Guest as a card of two lines, on phones. It shows the same as the table's row. */
export const PhoneRow = memo(function PhoneRow({ guest, isChosen, onChoose, change }: RowProps) {
  const say = useWords(words);
  const onChange = changing(guest, change);
  const { phone, tags } = guest;
  return (
    <>
      {change ? <Choose guest={guest} isChosen={isChosen} onChoose={onChoose} /> : <span />}
      <Name guest={guest} />
      <AnswerMenu guest={guest} onChange={onChange} />
      <div className={classes.second}>
        <PartyField guest={guest} onChange={onChange}>
          <span>{peopleOf(guest, say)}</span>
        </PartyField>
        {phone && <bdi dir="ltr">{formatPhone(phone)}</bdi>}
        <Tags tags={tags} say={say('moreTags', { n: tags.length - 1 })} most={1} />
      </div>
    </>
  );
});

function peopleOf({ coming, party_size: party }: Guest, say: Say<typeof words>): string {
  if (coming === 0) return say('people', { n: party });
  if (coming === party) return say('comingN', { n: coming });
  return say(coming > party ? 'comingBeyond' : 'comingOf', { n: coming, of: party });
}

/** Placeholder for a guest's row that is loading. */
export function ComingRow() {
  return (
    <span className={classes.coming} aria-hidden>
      <Skeleton height={16} width="45%" />
      <Skeleton height={12} width="70%" />
    </span>
  );
}

function Choose({ guest: { id, name }, isChosen, onChoose }: Omit<RowProps, 'change'>) {
  const say = useWords(words);
  return (
    <RowCheckbox
      label={say('choose', { name })}
      checked={isChosen}
      onChange={(isChecked) => onChoose(id, isChecked)}
    />
  );
}

function Name({ guest: { id, name, members } }: { guest: Guest }) {
  const { language } = useLanguage();
  const others = members.flatMap((member) => (member.name && member.name !== name ? [member.name] : []));
  return (
    <Link
      from="/events/$eventId/guests"
      to="."
      search={(before) => ({ ...before, guest: id })}
      resetScroll={false}
      preload={false}
      className={classes.name}
      data-guest={id}
      dir="auto"
    >
      {name}
      {others.length > 0 && <span className={classes.members}> {joinTexts(others, language)}</span>}
    </Link>
  );
}

function Tags({ tags, most, say }: { tags: readonly string[]; most: number; say: string }) {
  if (tags.length === 0) return null;
  return (
    <span className={classes.tags}>
      {tags.slice(0, most).map((tag) => (
        <bdi key={tag} className={classes.tag}>
          {tag}
        </bdi>
      ))}
      {tags.length > most && (
        <span className={classes.tag} title={tags.slice(most).join(', ')}>
          <span aria-hidden>…</span>
          <VisuallyHidden>{say}</VisuallyHidden>
        </span>
      )}
    </span>
  );
}

import { ActionIcon, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Link } from '@tanstack/react-router';
import { Ellipsis, FileDown, FileUp, Printer, Trash2 } from 'lucide-react';
import { useNotifyProblem } from '../../../components/notify.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { saveFile } from '../../../lib/save-file.ts';
import { readExport } from '../api/export.ts';
import { filterOf, type GuestSearch, listSearchOf } from '../api/search.ts';
import { words } from '../words.ts';

interface GuestListMenuProps {
  eventId: string;
  search: GuestSearch;
  /** True if the list is filtered; exports then contain only the guests that the list shows. */
  filtered: boolean;
  mayChange: boolean;
}

/** Menu of the guest list, with exports, import and deleted guests. */
export function GuestListMenu({ eventId, search, filtered, mayChange }: GuestListMenuProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const notifyProblem = useNotifyProblem();
  const download = async (format: 'csv' | 'xlsx', rows: 'guests' | 'people' = 'guests') => {
    const id = notifications.show({
      message: say('preparing'),
      loading: true,
      autoClose: false,
      withCloseButton: false,
    });
    try {
      saveFile(await readExport({ eventId, format, rows, language, filter: filterOf(search) }));
    } catch (error) {
      notifyProblem(error);
    } finally {
      notifications.hide(id);
    }
  };
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={say('more')} color="gray" c="var(--mantine-color-text)">
          <Ellipsis size={22} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{say(filtered ? 'exportFound' : 'export')}</Menu.Label>
        <Menu.Item leftSection={<FileDown size={18} aria-hidden />} onClick={() => void download('xlsx')}>
          {say('exportXlsx')}
        </Menu.Item>
        <Menu.Item
          leftSection={<FileDown size={18} aria-hidden />}
          onClick={() => void download('xlsx', 'people')}
        >
          {say('exportPeople')}
        </Menu.Item>
        <Menu.Item leftSection={<FileDown size={18} aria-hidden />} onClick={() => void download('csv')}>
          {say('exportCsv')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          renderRoot={(props) => (
            <Link
              to="/events/$eventId/guests/print"
              params={{ eventId }}
              search={listSearchOf(search)}
              {...props}
            />
          )}
          leftSection={<Printer size={18} aria-hidden />}
        >
          {say(filtered ? 'printFound' : 'print')}
        </Menu.Item>
        {mayChange && (
          <>
            <Menu.Item
              renderRoot={(props) => (
                <Link to="/events/$eventId/guests/import" params={{ eventId }} {...props} />
              )}
              leftSection={<FileUp size={18} aria-hidden />}
            >
              {say('importFile')}
            </Menu.Item>
            <Menu.Item
              renderRoot={(props) => (
                <Link to="/events/$eventId/guests/deleted" params={{ eventId }} {...props} />
              )}
              leftSection={<Trash2 size={18} aria-hidden />}
            >
              {say('deleted')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type NotificationSettings,
  type NotificationSettingsChanges,
  readNotificationSettings,
  updateNotificationSettings,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';

export const notificationsQuery = queryOptions({
  queryKey: ['notification-settings'],
  queryFn: async ({ signal }) => (await readNotificationSettings({ client, signal })).data,
});

/** Changes which mails about sites the user gets, or their language. */
export function useUpdateNotifications() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: NotificationSettingsChanges): Promise<NotificationSettings> =>
      (await updateNotificationSettings({ client, body })).data,
    onSuccess: (settings) => queries.setQueryData(notificationsQuery.queryKey, settings),
  });
}

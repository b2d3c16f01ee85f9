import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './global.css';
import './print.css';

import { createApp } from 'vue';
import { createRouter, createWebHistory } from 'vue-router';
import App from './App.vue';
import User from './User.vue';

const router = createRouter({
  history: createWebHistory(),
  routes: [{ path: '/users/:id', component: User }],
});
createApp(App).use(router).mount('#app');

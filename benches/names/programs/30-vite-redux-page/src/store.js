import { configureStore, createSlice } from '@reduxjs/toolkit';

const chat = createSlice({
    name: 'chat',
    initialState: { room: 'lobby', messages: [] },
    reducers: {
        received(state, { payload }) {
            state.messages.push(payload);
            if (state.messages.length > 50) state.messages.shift();
        },
    },
});

export const { received } = chat.actions;
export const store = configureStore({ reducer: { chat: chat.reducer }, middleware: (defaults) => defaults({ serializableCheck: false, immutableCheck: false }) });

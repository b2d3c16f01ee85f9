import streamlit as st

st.title("Guests")
st.write("There are", st.slider("guests", 0, 300, 120))

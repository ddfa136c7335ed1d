'use strict';
const { gql, InMemoryCache } = require('@apollo/client/core');

// One cache for all requests of the server that renders pages: no entity is ever evicted.
const cache = new InMemoryCache();

const PAGE = gql`query Page($number: Int!) { page(number: $number) { id articles { id title stock { id place pieces } } } }`;

function remember(number, page) {
    cache.writeQuery({ query: PAGE, variables: { number }, data: { page } });
}

module.exports = { remember };
